// SPDX-License-Identifier: Apache-2.0

import Dispatch

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Ctrl-C and the request to end: the first cancels the work, which then ends in order; the next ends
/// the program at once.
final class Interruption {
  private let sources: [any DispatchSourceSignal]

  /// Begins to listen.
  init(cancel: @escaping @Sendable () -> Void) {
    sources = [SIGINT, SIGTERM].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler {
        // The next one has its usual effect again.
        signal(number, SIG_DFL)
        cancel()
      }
      return source
    }
    for source in sources { source.activate() }
  }

  deinit { for source in sources { source.cancel() } }
}
