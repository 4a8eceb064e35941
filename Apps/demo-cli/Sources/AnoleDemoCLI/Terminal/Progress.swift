// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Shows how far long work has come: one line of a terminal, which is written over and in the end
/// taken away.
final class Progress: Sendable {
  /// Shows nothing.
  static let none = Progress { _ in }

  /// Shows on standard error, if that is a terminal.
  static var live: Progress {
    guard let terminal = Terminal.standardError else { return .none }
    return Progress { text in
      let line = text.map { String($0.prefix(terminal.columns - 1)) } ?? ""
      // Nothing is lost if it cannot be shown.
      _ = StandardStreams.send(Array("\r\(line)\u{1B}[K".utf8), to: STDERR_FILENO)
    }
  }

  private let put: @Sendable (_ text: String?) -> Void
  private let shown = Lock<Int?>(nil)

  /// Shows by a function, which gets nil to take the line away.
  init(put: @escaping @Sendable (_ text: String?) -> Void) { self.put = put }

  /// Tells how much is done; takes the line away when all is.
  ///
  /// May be called from any thread.
  func show(_ done: Int, of total: Int, _ noun: String) {
    let percent = total > 0 ? done * 100 / total : 100
    let isNew = shown.withLock { shown in
      defer { shown = percent < 100 ? percent : nil }
      return percent != shown && (percent < 100 || shown != nil)
    }
    guard isNew else { return }
    put(percent < 100 ? "\(percent) % of \(Wording.count(total, noun))" : nil)
  }

  /// Takes the line away, where the work ends early.
  func end() {
    let wasShown = shown.withLock { shown in
      defer { shown = nil }
      return shown != nil
    }
    if wasShown { put(nil) }
  }
}
