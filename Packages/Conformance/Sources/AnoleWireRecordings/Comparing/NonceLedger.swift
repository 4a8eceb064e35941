// SPDX-License-Identifier: Apache-2.0

/// The nonces of a scenario: which stands for which placeholder, and on which line each was seen.
struct NonceLedger: Sendable {
  private var noncesByPlaceholder: [String: String] = [:]
  private var placeholdersByNonce: [String: String] = [:]
  /// What each nonce was sent with.
  private var contentsByNonce: [String: [QueryParameters.Parameter]] = [:]

  /// The nonces of lines beyond the recorded ones, by visitor and line.
  private var extraNonces: [String: String] = [:]

  /// The nonce that a placeholder stands for, if it has been seen.
  func nonce(of placeholder: String) -> String? { noncesByPlaceholder[placeholder] }

  /// The placeholder that a nonce stands for, if it has one.
  func placeholder(of nonce: String) -> String? { placeholdersByNonce[nonce] }

  /// Notes the lines of one request.
  ///
  /// - Returns: what is wrong with their nonces; nil if nothing is.
  mutating func note(_ lines: [TrackingLine]) -> String? {
    var seen: Set<String> = []
    for line in lines {
      guard Self.isNonce(line.nonce) else {
        return "the nonce \"\(line.nonce)\" is not 16 characters of 0-9A-F"
      }
      guard seen.insert(line.nonce).inserted else {
        return "the nonce \(line.nonce) occurs twice in one request"
      }
      if let earlier = contentsByNonce[line.nonce], earlier != line.parameters {
        return "the nonce \(line.nonce) was used before for another event"
      }
      contentsByNonce[line.nonce] = line.parameters
    }
    return nil
  }

  /// Notes a line beyond the recorded ones: device, system and visit are sent once each, apart from
  /// repeated attempts.
  ///
  /// - Returns: what is wrong; nil if nothing is.
  mutating func noteExtra(_ line: TrackingLine) -> String? {
    guard line.kind == .staticData || line.kind == .visits else { return nil }
    let key = "\(line.visitor) \(line.label)"
    if let earlier = extraNonces[key], earlier != line.nonce {
      return "\(line.label) of \(line.visitor) was sent again"
    }
    extraNonces[key] = line.nonce
    return nil
  }

  /// Lets a placeholder stand for a nonce.
  ///
  /// - Returns: what is wrong; nil if nothing is.
  mutating func bind(_ placeholder: String, to nonce: String) -> String? {
    if let bound = noncesByPlaceholder[placeholder], bound != nonce {
      return "the nonce of an event sent again changed from \(bound) to \(nonce)"
    }
    if let other = placeholdersByNonce[nonce], other != placeholder {
      return "the nonce \(nonce) was used before for another event"
    }
    noncesByPlaceholder[placeholder] = nonce
    placeholdersByNonce[nonce] = placeholder
    return nil
  }

  private static func isNonce(_ text: String) -> Bool {
    text.utf8.count == 16
      && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x46).contains($0) }
  }
}
