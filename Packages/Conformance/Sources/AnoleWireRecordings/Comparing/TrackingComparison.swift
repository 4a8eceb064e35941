// SPDX-License-Identifier: Apache-2.0

/// Compares the lines of one tracking request with the recorded ones.
struct TrackingComparison {
  /// The lines that were recorded.
  let expected: [TrackingLine]
  /// The lines that were sent.
  let actual: [TrackingLine]
  /// The text of `User-Agent`, which each visitor's first line repeats (network specification, 3.4).
  let userAgent: String?
  /// The visitors of the scenario.
  let visitorCodes: Set<String>

  /// Where the two part; nil if they agree within the allowed tolerances.
  func difference(_ nonces: inout NonceLedger) -> String? {
    if let found = nonces.note(actual) ?? formDifference { return found }
    var visitors: [TrackingLine.Visitor] = []
    for line in expected where !visitors.contains(line.visitor) { visitors.append(line.visitor) }
    for visitor in visitors {
      if let found = difference(of: visitor, &nonces) { return found }
    }
    let others = actual.filter { !visitors.contains($0.visitor) }
    return surplusDifference(others, &nonces)
  }

  /// What is wrong with lines beyond the recorded ones; nil if they are allowed.
  private func surplusDifference(
    _ lines: [TrackingLine], _ nonces: inout NonceLedger
  ) -> String? {
    if let line = lines.first(where: { !isExtra($0) }) {
      return "unexpected line: \(line.label) of \(line.visitor): \(line.text.prefix(200))"
    }
    for line in lines {
      if let found = nonces.noteExtra(line) { return found }
    }
    return nil
  }

  /// Whether all lines are such as the mobile client may send beyond the recorded ones.
  ///
  /// A linked visitor is kept alive by the mapping identifier, which is part of every request (network
  /// specification, 3.10).
  var hasOnlyExtras: Bool {
    !actual.isEmpty && formDifference == nil
      && actual.allSatisfy { line in
        isExtra(line)
          || line["mappingIdentifier"] == "true" && visitorCodes.contains(line.visitor.value)
      }
  }

  private func isExtra(_ line: TrackingLine) -> Bool {
    line.isAllowedExtra && visitorCodes.contains(line.visitor.value)
  }

  // MARK: - The form of a body

  private var formDifference: String? {
    var first: Set<TrackingLine.Visitor> = []
    var last: [TrackingLine.Visitor: TrackingLine.Kind] = [:]
    for line in actual {
      let isFirst = first.insert(line.visitor).inserted
      if line.userAgent != (isFirst ? userAgent : nil) {
        let wanted = isFirst ? userAgent.map { "\"\($0)\"" } ?? "none" : "none"
        let found = line.userAgent.map { "\"\($0)\"" } ?? "none"
        return "userAgent of \(line.label): expected \(wanted), got \(found)"
      }
      if line.kind == .activity {
        guard actual.count(where: { $0.visitor == line.visitor }) == 1 else {
          return "an activity line although \(line.visitor) has other lines"
        }
        continue
      }
      if let kind = last[line.visitor], line.kind < kind {
        return "order of \(line.visitor): \(line.kind) comes after \(kind)"
      }
      last[line.visitor] = line.kind
    }
    return nil
  }

  // MARK: - One visitor

  private func difference(
    of visitor: TrackingLine.Visitor, _ nonces: inout NonceLedger
  ) -> String? {
    var rest = actual.filter { $0.visitor == visitor }
    for line in expected where line.visitor == visitor {
      let candidates = rest.indices.filter { line.difference(to: rest[$0]) == nil }
      let bound = nonces.nonce(of: line.nonce)
      let chosen =
        candidates.first { rest[$0].nonce == bound }
        ?? candidates.first { nonces.placeholder(of: rest[$0].nonce) == nil } ?? candidates.first
      guard let chosen else {
        // Other lines keep the visit alive as well as an activity line does.
        if line.kind == .activity, !rest.isEmpty, rest.allSatisfy(isExtra) {
          return surplusDifference(rest, &nonces)
        }
        return explanation(missing: line, among: rest)
      }
      if let found = nonces.bind(line.nonce, to: rest[chosen].nonce) {
        return "\(line.label): \(found)"
      }
      rest.remove(at: chosen)
    }
    return surplusDifference(rest, &nonces)
  }

  private func explanation(missing line: TrackingLine, among rest: [TrackingLine]) -> String {
    if let near = rest.first(where: line.resembles), let found = line.difference(to: near) {
      return "\(line.label): \(found)"
    }
    let present = rest.map(\.label).joined(separator: ", ")
    return "missing line: \(line.label) of \(line.visitor); got "
      + (present.isEmpty ? "nothing of this visitor" : present)
  }
}
