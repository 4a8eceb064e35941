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
    exit(StandardStreams.put(await Program.run(arguments, in: .live)))
  }
}
