// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import kameleoonClient

/// An error and its text.
struct ErrorCase: Sendable, CustomTestStringConvertible {
  let error: any Error
  let text: String
  init(_ error: any Error, _ text: String) {
    self.error = error
    self.text = text
  }
  var testDescription: String { text }
}

let errorCases: [ErrorCase] = [
  ErrorCase(
    KameleoonError.sdkNotReady,
    "The client is not ready: no configuration has arrived yet; call runWhenReady first"),
  ErrorCase(
    KameleoonError.siteCodeIsEmpty,
    "The site code is empty; pass the one that the platform shows for the project"),
  ErrorCase(
    KameleoonError.visitorCodeInvalid(""),
    "The visitor code is empty; pass nil to have one generated"),
  ErrorCase(
    KameleoonError.visitorCodeInvalid(String(repeating: "é", count: 256)),
    "The visitor code has 256 characters; at most 255 are allowed"),
  ErrorCase(
    KameleoonError.dataFileInvalid,
    "The data file cannot be read; the log tells where it is damaged"),
  ErrorCase(
    KameleoonError.Feature.notFound("chekout"),
    "No flag has the key \"chekout\"; check its spelling and the environment"),
  ErrorCase(
    KameleoonError.Feature.environmentDisabled("checkout", nil),
    "The flag \"checkout\" is switched off in the environment \"production\"; switch it on, "
      + "or use the default there"),
  ErrorCase(
    KameleoonError.Feature.environmentDisabled("checkout", "staging"),
    "The flag \"checkout\" is switched off in the environment \"staging\"; switch it on, "
      + "or use the default there"),
  ErrorCase(
    KameleoonError.Feature.variableNotFound("checkout", "on", "titel"),
    "The variation \"on\" of the flag \"checkout\" has no variable \"titel\"; check its spelling"),
  ErrorCase(
    KameleoonError.Feature.variationNotFound("checkout", "onn"),
    "\"checkout\" has no variation \"onn\"; check its spelling"),
  ErrorCase(
    KameleoonError.Feature.experimentNotFound(12),
    "No rule carries the experiment 12; check the id and the environment"),
]

@Suite("Errors")
struct ErrorTests {
  @Test("the localized description says what is wrong and what to do", arguments: errorCases)
  func texts(_ row: ErrorCase) {
    #expect(row.error.localizedDescription == row.text)
    #expect("\(row.error)" == row.text)
  }

  @Test("patterns without payload match, also of two enums in one switch")
  func patterns() {
    func name(_ error: any Error) -> String {
      switch error {
      case KameleoonError.sdkNotReady: "not ready"
      case KameleoonError.visitorCodeInvalid: "visitor code"
      case KameleoonError.Feature.notFound: "not found"
      case KameleoonError.Feature.environmentDisabled: "disabled"
      case KameleoonError.Feature.variableNotFound(let feature, _, let variable):
        "\(feature).\(variable)"
      default: "other"
      }
    }
    #expect(name(KameleoonError.sdkNotReady) == "not ready")
    #expect(name(KameleoonError.visitorCodeInvalid("x")) == "visitor code")
    #expect(name(KameleoonError.Feature.notFound("a")) == "not found")
    #expect(name(KameleoonError.Feature.environmentDisabled("a", nil)) == "disabled")
    #expect(name(KameleoonError.Feature.variableNotFound("a", "b", "c")) == "a.c")
    #expect(name(KameleoonError.Feature.experimentNotFound(1)) == "other")
    #expect(name(CancellationError()) == "other")
  }
}
