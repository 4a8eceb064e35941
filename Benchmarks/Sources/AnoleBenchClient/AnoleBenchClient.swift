// SPDX-License-Identifier: Apache-2.0

import AnoleBenchCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The workloads once more through the public interface of the client, and three of their own: C1, the start
/// from a stored data file, R1, reading a remote flag, and S1, a simulation.
///
/// It follows the contract of `anole-bench`, so that the same comparison runs it.
@main
enum AnoleBenchClient {
  static func main() async {
    do throws(BenchmarkError) {
      let options = try Options(CommandLine.arguments.dropFirst())
      let measurements =
        switch options.workload {
        case "R1": try await RemoteFlagWorkload(options: options).run()
        case "S1": try await SimulationWorkload(options: options).run()
        default: try await ClientWorkloads(options: options).run()
        }
      for measurement in measurements {
        print(measurement.line(workload: options.workload, threads: options.threads))
      }
      if measurements.isEmpty { print("{\"workload\":\"\(options.workload)\",\"skipped\":true}") }
    } catch {
      let bytes = Array("anole-bench-client: \(error)\n".utf8)
      _ = write(STDERR_FILENO, bytes, bytes.count)
      exit(2)
    }
  }
}
