// SPDX-License-Identifier: Apache-2.0

/// Reads one tracking body and judges it.
struct TrackingReader {
  private static let eventTypes: Set<String> = [
    "activity", "experiment", "targetingSegment", "customData", "conversion", "geolocation",
    "staticData", "page",
  ]

  private var events: [TrackedEvent] = []
  private var findings: [TrackingFinding] = []
  private var nonces: Set<String> = []
  private var lastRanks: [String: Int] = [:]
  private var lineCounts: [String: Int] = [:]
  private let wasAccepted: (String) -> Bool

  /// Reads a decoded body.
  ///
  /// - Parameter wasAccepted: Whether a nonce came with an earlier accepted request.
  static func report(
    on body: [UInt8], wasAccepted: (String) -> Bool
  ) -> TrackingReport {
    withoutActuallyEscaping(wasAccepted) { wasAccepted in
      var reader = TrackingReader(wasAccepted: wasAccepted)
      let lines = body.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      for line in lines { reader.read(line) }
      reader.checkActivities()
      return TrackingReport(
        events: reader.events, findings: reader.findings.sorted { $0.line < $1.line })
    }
  }

  private init(wasAccepted: @escaping (String) -> Bool) { self.wasAccepted = wasAccepted }

  private mutating func read(_ bytes: ArraySlice<UInt8>) {
    let text = String(decoding: bytes, as: UTF8.self)
    let query = Query(text)
    let event = TrackedEvent(line: text, query: query)
    events.append(event)
    if bytes.isEmpty || query.isMalformed || String(validating: bytes, as: UTF8.self) == nil {
      find(.malformedLine, "not a query string: \(text.debugDescription)")
    }
    checkNonce(event.nonce)
    if !Self.eventTypes.contains(event.eventType ?? "") {
      find(.unknownEventType, "eventType is \(event.eventType?.debugDescription ?? "missing")")
    }
    guard let visitor = event.visitor else {
      find(.missingVisitor, "neither visitorCode nor mappingValue")
      return
    }
    lineCounts[visitor, default: 0] += 1
    guard let rank = event.rank else { return }
    if let last = lastRanks[visitor], rank < last {
      find(.order, "\(event.eventType ?? "") comes after a kind that it should precede")
    }
    lastRanks[visitor] = max(rank, lastRanks[visitor] ?? rank)
  }

  private mutating func checkNonce(_ nonce: String?) {
    guard let nonce, nonce.utf8.count == 16, nonce.utf8.allSatisfy(Self.isNonceDigit) else {
      find(.malformedNonce, "nonce is \(nonce?.debugDescription ?? "missing")")
      return
    }
    if !nonces.insert(nonce).inserted {
      find(.duplicateNonce, "\(nonce) occurs twice in this body")
    } else if wasAccepted(nonce) {
      find(.duplicateNonce, "\(nonce) was accepted with an earlier request")
    }
  }

  private mutating func checkActivities() {
    for (index, event) in events.enumerated() where event.eventType == "activity" {
      guard let visitor = event.visitor, lineCounts[visitor, default: 0] > 1 else { continue }
      findings.append(
        TrackingFinding(
          kind: .activityNotAlone, line: index + 1, message: "the visitor has other lines"))
    }
  }

  private mutating func find(_ kind: TrackingFinding.Kind, _ message: String) {
    findings.append(TrackingFinding(kind: kind, line: events.count, message: message))
  }

  private static func isNonceDigit(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte)
  }
}

/// The nonces of accepted tracking requests.
struct NonceLedger: Sendable {
  /// How many are remembered, in about 100 MB; then the older half is forgotten.
  static let maximumCount = 1_000_000

  private var older: Set<String> = []
  private var newer: Set<String> = []

  func contains(_ nonce: String) -> Bool { newer.contains(nonce) || older.contains(nonce) }

  mutating func insert(_ nonce: String) {
    if newer.count >= Self.maximumCount / 2 {
      older = newer
      newer = []
    }
    newer.insert(nonce)
  }
}
