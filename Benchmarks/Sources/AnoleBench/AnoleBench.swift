// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Prints one workload's measurement as one line of JSON; for W9 the bare variation key.
@main
enum AnoleBench {
  static func main() {
    do throws(BenchmarkError) {
      let options = try Options(CommandLine.arguments.dropFirst())
      let workloads = Workloads(options)
      if options.workload == "W9" { return print(try workloads.coldStart()) }
      guard let measurement = try workloads.run() else {
        return print("{\"workload\":\"\(options.workload)\",\"skipped\":true}")
      }
      print(measurement.line(workload: options.workload, threads: options.threads))
    } catch {
      fail("anole-bench: \(error)\n")
    }
  }

  private static func fail(_ message: String) -> Never {
    let bytes = Array(message.utf8)
    _ = write(STDERR_FILENO, bytes, bytes.count)
    exit(2)
  }
}
