// SPDX-License-Identifier: Apache-2.0

package import AnoleModels

/// A recorded scenario: calls, and the requests that they caused.
package struct WireRecording: Sendable, Hashable {
  /// Id and secret for access tokens.
  package struct Credentials: Sendable, Hashable {
    package let clientID: String
    package let clientSecret: String
  }

  package let name: String
  package let summary: String
  package let siteCode: String
  /// The settings under their iOS names.
  package let settings: JSONValue
  package let credentials: Credentials?
  package var steps: [RecordedStep]
  package var exchanges: [RecordedExchange]

  /// Fractions of a minute exist in recordings only to keep them short.
  package var refreshIntervalMinutes: Double? { settings["refreshIntervalMinute"]?.doubleValue }

  /// The visitors in the order in which calls name them; at least one, for calls that name none.
  package var visitorCodes: [String] {
    var codes: [String] = []
    for code in steps.compactMap(\.visitorCode) where !codes.contains(code) { codes.append(code) }
    return codes.isEmpty ? ["visitor-1"] : codes
  }

  /// The codes that are the customers' own identifiers.
  package var uniqueIdentifiers: Set<String> {
    Set(
      steps.filter { step in
        (step.fields["data"]?.arrayValue ?? []).contains { $0["type"] == "uniqueIdentifier" }
      }.compactMap(\.visitorCode))
  }
}
