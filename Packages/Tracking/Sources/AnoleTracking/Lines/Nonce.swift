// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency

/// Tells one event from another for ever: made once per event and kept over all attempts to send
/// it, so that the server can drop duplicates.
public struct Nonce: Sendable, Hashable {
  /// The number that is written as 16 hexadecimal digits.
  public let value: UInt64

  /// A nonce that was made before.
  public init(_ value: UInt64) {
    self.value = value
  }

  /// A new nonce.
  ///
  /// - Parameter generator: should be cryptographic in production: `SystemRandomNumberGenerator`.
  public init(using generator: inout some RandomNumberGenerator) {
    value = generator.next()
  }
}

/// Gives nonces to all threads of a tracker; a call takes one short lock.
final class NonceSource: Sendable {
  private let generator: Lock<any RandomNumberGenerator & Sendable>

  init(_ generator: any RandomNumberGenerator & Sendable) {
    self.generator = Lock(generator)
  }

  func next() -> Nonce {
    Nonce(generator.withLock { $0.next() })
  }
}
