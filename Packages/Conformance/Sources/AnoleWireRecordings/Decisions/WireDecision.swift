// SPDX-License-Identifier: Apache-2.0

package import AnoleModels

/// A place where the specification decides against what was recorded, or where the mobile interface has
/// nothing that corresponds to it.
package struct WireDecision: Sendable, Hashable {
  /// What takes the place of what was recorded.
  enum Change: Sendable, Hashable {
    /// Nothing: a tolerance of the comparison covers it.
    case none
    /// The exchange with this sequence number does not take place.
    case leavesOut(exchange: Int)
    /// The exchange carries these lines.
    case lines(exchange: Int, [String])
    /// The parameter is not part of the exchange's query.
    case withoutParameter(exchange: Int, String)
    /// The step returns this.
    case result(step: Int, JSONValue)
    /// Of the list that the step returns only data with a public type count.
    case publicTypes(step: Int)
    /// A part of the result, by its key, is this (nil: is not there).
    case part(step: Int, key: String, JSONValue?)
  }

  /// The result of a call that fails where the vendor's server-side SDK returns something.
  package static let failure: JSONValue = ["failure": true]

  /// The recording.
  package let recording: String
  /// Where the specification says it, for example `network.md 3.1`.
  package let section: String
  /// What differs.
  package let difference: String
  let change: Change

  init(_ recording: String, _ section: String, _ difference: String, _ change: Change) {
    self.recording = recording
    self.section = section
    self.difference = difference
    self.change = change
  }
}

extension WireRecording {
  /// Puts the decisions of the specification in the place of what was recorded.
  ///
  /// - Returns: the decisions that concern this recording.
  package mutating func apply(
    _ decisions: [WireDecision]
  ) throws(WireFormatError) -> [WireDecision] {
    let own = decisions.filter { $0.recording == name }
    for decision in own { try apply(decision.change) }
    return own
  }

  private mutating func apply(_ change: WireDecision.Change) throws(WireFormatError) {
    switch change {
    case .none: return
    case .leavesOut(let sequence): try leaveOut(sequence)
    case .lines(let sequence, let texts):
      let index = try index(ofExchange: sequence)
      var lines: [TrackingLine] = []
      for text in texts { lines.append(try TrackingLine(parsing: text)) }
      exchanges[index].request.body = .lines(lines)
    case .withoutParameter(let sequence, let parameter):
      let index = try index(ofExchange: sequence)
      let parts = exchanges[index].request.query.split(separator: "&")
      let kept = parts.filter { $0 != parameter }
      guard kept.count < parts.count else {
        throw WireFormatError("decision: exchange \(sequence) has no \(parameter)")
      }
      exchanges[index].request.query = kept.joined(separator: "&")
    case .result(let number, let value):
      let index = try index(ofStep: number)
      steps[index].result = value
    case .publicTypes(let number):
      let index = try index(ofStep: number)
      let types: [JSONValue] = ["customData", "conversion", "geolocation"]
      let items = steps[index].result?.arrayValue ?? []
      steps[index].result = .array(items.filter { types.contains($0["type"] ?? .null) })
    case .part(let number, let key, let value):
      let index = try index(ofStep: number)
      var members = (steps[index].result?.objectValue ?? []).filter { $0.key != key }
      if let value { members.append(.init(key: key, value: value)) }
      steps[index].result = .object(members)
    }
  }

  /// Removes an exchange; steps that wait for it wait for one less.
  private mutating func leaveOut(_ sequence: Int) throws(WireFormatError) {
    let exchange = exchanges.remove(at: try index(ofExchange: sequence))
    let position = exchanges.count { $0.endpoint == exchange.endpoint && $0.sequence < sequence }
    for index in steps.indices where steps[index].operation == .awaitRequests {
      guard try steps[index].text("endpoint") == exchange.endpoint.rawValue else { continue }
      let count = try steps[index].integer("count")
      if count > position { steps[index].replace("count", by: .number(.integer(Int64(count - 1)))) }
    }
  }

  private func index(ofExchange sequence: Int) throws(WireFormatError) -> Int {
    guard let index = exchanges.firstIndex(where: { $0.sequence == sequence }) else {
      throw WireFormatError("decision: there is no exchange \(sequence)")
    }
    return index
  }

  private func index(ofStep number: Int) throws(WireFormatError) -> Int {
    guard let index = steps.firstIndex(where: { $0.number == number }) else {
      throw WireFormatError("decision: there is no step \(number)")
    }
    return index
  }
}
