// SPDX-License-Identifier: Apache-2.0

import AnoleBenchCore
import AnoleBenchDelivery

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The part of the benchmark that links libcurl and SQLite; `anole-bench` runs it.
@main
enum AnoleBenchIO {
  static func main() {
    do throws(BenchmarkError) {
      let options = try Options(CommandLine.arguments.dropFirst())
      for measurement in try DeliveryWorkloads(options).run() {
        print(measurement.line(workload: options.workload, threads: options.threads))
      }
    } catch {
      let bytes = Array("anole-bench: \(error)\n".utf8)
      _ = write(STDERR_FILENO, bytes, bytes.count)
      exit(2)
    }
  }
}
