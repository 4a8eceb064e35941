// SPDX-License-Identifier: Apache-2.0

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
    StandardStreams.ignoreClosedPipes()
    let arguments = Array(CommandLine.arguments.dropFirst())
    let work = Task { await Program.run(arguments, in: .live) }
    let interruption = Interruption { work.cancel() }
    let status = StandardStreams.put(await work.value)
    withExtendedLifetime(interruption) {}
    exit(status)
  }
}
