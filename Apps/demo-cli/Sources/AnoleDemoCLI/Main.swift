// SPDX-License-Identifier: Apache-2.0

import kameleoonClient

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The entry: arguments in, text and exit status out.
@main
enum Main {
  static func main() async {
    StandardStreams.occupyClosedOnes()
    StandardStreams.ignoreClosedPipes()
    KameleoonLogger.logger = RemarkLogger()
    let arguments = Array(CommandLine.arguments.dropFirst())
    let work = Task { await Program.run(arguments, in: .live) }
    let interruption = Interruption { work.cancel() }
    let status = StandardStreams.put(await work.value)
    withExtendedLifetime(interruption) {}
    exit(status)
  }
}

/// Writes what a client tells as sentences of this program.
private struct RemarkLogger: Logging {
  func log(level: LogLevel, message: String) {
    StandardStreams.complain(Printable.line(message, limit: 1_000))
  }
}
