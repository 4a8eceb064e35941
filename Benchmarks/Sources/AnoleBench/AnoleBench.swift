// SPDX-License-Identifier: Apache-2.0

import AnoleBenchCore
import AnoleBenchEvaluation

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
      let workloads = EvaluationWorkloads(options)
      if options.workload == "W9" { return print(try workloads.coldStart()) }
      if Self.deliveryWorkloads.contains(options.workload) { try becomeIOBenchmark() }
      let measurement = try workloads.run()
      print(measurement.line(workload: options.workload, threads: options.threads))
    } catch {
      fail("anole-bench: \(error)\n")
    }
  }

  /// The workloads with libcurl and SQLite, which an executable of its own links, so that loading
  /// them does not count in W9.
  private static let deliveryWorkloads = ["W6", "W8", "W10"]

  /// Goes on as the executable beside this one, with the same arguments.
  private static func becomeIOBenchmark() throws(BenchmarkError) -> Never {
    var path = [CChar](repeating: 0, count: 4096)
    let length = readlink("/proc/self/exe", &path, path.count - 1)
    guard length > 0 else { throw BenchmarkError("/proc/self/exe: cannot be read") }
    let own = String(decoding: path.prefix(length).map(UInt8.init(bitPattern:)), as: UTF8.self)
    let other = own + "-io"
    var arguments = CommandLine.arguments.map { strdup($0) } + [nil]
    execv(other, &arguments)
    throw BenchmarkError("\(other): cannot be run; build the package anew")
  }

  private static func fail(_ message: String) -> Never {
    let bytes = Array(message.utf8)
    _ = write(STDERR_FILENO, bytes, bytes.count)
    exit(2)
  }
}
