// SPDX-License-Identifier: Apache-2.0

import AnoleEvaluation
import AnoleModels
import AnoleRemoteFlags
import kameleoonClient

extension Quickstart {
  /// For people.
  var lines: [String] {
    [
      "A platform runs inside this program, at \(address); a real client asks it over HTTP.",
      "Nothing is installed, nothing is left behind.", "",
      "1. Three visitors ask for the flag \"\(Self.flag)\"",
    ] + answerLines + [
      "", "2. Why \(guest) gets \"\(variation)\"",
    ] + explanation.description.split(separator: "\n").map { "   \($0)" } + [
      "", "3. \(guest) buys for \(Self.revenue): the client reports it, the server reads",
    ] + arrivalLines + [
      "", "4. Somebody switches \"\(Self.flag)\" off",
      "   the event stream brought the news after \(change.milliseconds) ms",
      "   before: \(guest) gets \(change.before)", "   now: \(guest) gets \(change.after)", "",
      "5. A flag that the server evaluates, for \(guest)",
    ] + remoteLines + ["", "Next, from the root of the repository:"] + Self.suggestions
  }

  /// Commands that work as they stand.
  static let suggestions = [
    "  scripts/demo-cli demo                                  # the long tour",
    "  scripts/demo-cli explain checkout --visitor your-name  # what would you get, and why?",
    "  scripts/demo-cli simulate checkout                     # does the split hold?",
    "  scripts/demo-cli doctor                                # is this computer ready?",
    "  scripts/demo-cli help                                  # all commands",
  ]

  /// Commands of which the first runs until it is ended.
  static let serverSuggestions = [
    "  scripts/demo-cli serve --port 8080                     # and in a second terminal:",
    "  scripts/demo-cli watch checkout --endpoint http://127.0.0.1:8080",
  ]

  private var guest: String { Self.guests[0].code }
  private var variation: String { answers.first?.decision.variation.key ?? "" }

  private var answerLines: [String] {
    var table = Table([.left, .left, .left, .left, .left])
    for answer in answers {
      let decision = answer.decision
      table.add([
        answer.guest.code, answer.guest.about, decision.variation.key,
        decision.isActive ? "active" : "inactive", decision.reason.sentence,
      ])
    }
    return table.lines.map { "   \($0)" }
  }

  private var arrivalLines: [String] {
    let encoding = arrival.encoding.map { " (\($0))" } ?? ""
    let status = arrival.status.map { ", status \($0)" } ?? ""
    return ["   POST /visit/events, \(arrival.bytes) bytes\(encoding)\(status):"]
      + arrival.lines.map { "   \($0)" } + arrival.findings.map { "   ! \($0)" }
  }

  private var remoteLines: [String] {
    let state = remoteFlag.isEnabled ? "on" : "off"
    var table = Table([.left, .left])
    for property in remoteFlag.propertyKeys {
      table.add(["  \(property)", remoteFlag.value(forProperty: property)?.text() ?? "null"])
    }
    return
      ([
        "\(Printable.line(remoteFlag.key)) is \(state), by rule \(Printable.line(remoteFlag.ruleID))"
      ]
      + table.lines).map { "   \($0)" }
  }

  // MARK: - JSON

  /// For programs.
  var document: JSONValue {
    let visitors = answers.map { answer -> JSONValue in
      let decision = answer.decision
      return [
        "visitor": .string(answer.guest.code), "about": .string(answer.guest.about),
        "flag": .string(decision.featureKey), "variation": .string(decision.variation.key),
        "active": .bool(decision.isActive), "reason": .string(decision.reason.rawValue),
        "explanation": .string(decision.reason.sentence),
        "ruleId": .id(decision.ruleId.map { Int64($0) }),
      ]
    }
    let properties = remoteFlag.propertyKeys.map {
      JSONValue.Member(key: $0, value: remoteFlag.value(forProperty: $0) ?? .null)
    }
    return [
      "address": .string(address), "visitors": .array(visitors),
      "explanation": explanation.document,
      "conversion": [
        "goal": .count(Self.goal), "revenue": .real(Self.revenue),
        "status": .id(arrival.status.map { Int64($0) }), "encoding": .text(arrival.encoding),
        "sentBytes": .count(arrival.bytes), "received": .array(arrival.lines.map { .string($0) }),
        "findings": .array(arrival.findings.map { .string($0) }),
      ],
      "change": [
        "flag": .string(Self.flag), "visitor": .string(guest), "before": .string(change.before),
        "after": .string(change.after),
        "milliseconds": .number(.integer(change.milliseconds)),
      ],
      "remoteFlag": [
        "key": .string(remoteFlag.key), "enabled": .bool(remoteFlag.isEnabled),
        "rule": .string(remoteFlag.ruleID), "properties": .object(properties),
      ],
    ]
  }
}
