// SPDX-License-Identifier: Apache-2.0

import AnoleEvaluation
import AnoleModels
import AnoleTargeting
import Testing

struct CodeCase: Sendable, CustomTestStringConvertible {
  let name: String
  let code: String
  let isValid: Bool
  init(_ name: String, _ code: String, isValid: Bool) {
    self.name = name
    self.code = code
    self.isValid = isValid
  }
  var testDescription: String { name }
}

/// Length counts Unicode scalars (sections 3.1 and 6.4).
private let codeCases: [CodeCase] = [
  CodeCase("empty", "", isValid: false),
  CodeCase("a space", " ", isValid: true),
  CodeCase("a zero byte", "\0", isValid: true),
  CodeCase("255 letters", String(repeating: "x", count: 255), isValid: true),
  CodeCase("256 letters", String(repeating: "x", count: 256), isValid: false),
  CodeCase("255 scalars of two bytes", String(repeating: "é", count: 255), isValid: true),
  CodeCase("255 scalars of four bytes", String(repeating: "😀", count: 255), isValid: true),
  CodeCase("256 scalars of four bytes", String(repeating: "😀", count: 256), isValid: false),
  CodeCase(
    "128 characters of two scalars", String(repeating: "e\u{301}", count: 128), isValid: false),
  CodeCase(
    "one character of 256 scalars", "e" + String(repeating: "\u{301}", count: 255),
    isValid: false),
]

@Suite("The frame of every call")
struct CallFrameTests {
  private let snapshot: Snapshot

  init() throws {
    snapshot = try FileText.snapshot(
      FileText.flag("flag", FileText.rule(1, FileText.entry("on", 11))),
      FileText.flag("disabled", isEnabled: false),
      FileText.flag("on by default", default: "on"),
      FileText.flag("off by experiment", FileText.rule(2, FileText.entry("off", 21))),
      FileText.flag("OFF", default: "OFF"), FileText.flag("blank", default: ""))
  }

  @Test("every call takes 1 to 255 scalars as visitor code", arguments: codeCases)
  func visitorCodes(_ row: CodeCase) throws {
    #expect(VisitorCode.isValid(row.code) == row.isValid)
    var visitor = TestVisitor(row.code, of: snapshot)
    let failure = row.isValid ? nil : EvaluationError.visitorCodeInvalid
    #expect(Self.error { try visitor.decide("flag") } == failure)
    #expect(Self.error { try visitor.explain("flag") } == failure)
    #expect(Self.error { try visitor.evaluateAll() } == failure)
    #expect(
      Self.error {
        try snapshot.audiences(visitorCode: row.code, record: visitor.record, at: visitor.moment)
      } == failure)
    #expect(visitor.saved.isEmpty != row.isValid)
  }

  private static func error(_ body: () throws -> some Any) -> EvaluationError? {
    do {
      _ = try body()
      return nil
    } catch {
      return error as? EvaluationError
    }
  }

  @Test("the visitor code is checked first, then the flag, then the environment")
  func order() {
    let nobody = TestVisitor("", of: snapshot)
    for key in ["absent", "disabled", "flag"] {
      #expect(nobody.answer(key) == EvaluationError.visitorCodeInvalid.description)
    }
    let visitor = TestVisitor("visitor1", of: snapshot)
    #expect(throws: EvaluationError.featureNotFound(featureKey: "absent")) {
      try visitor.decide("absent")
    }
    #expect(throws: EvaluationError.featureNotFound(featureKey: "absent")) {
      try visitor.explain("absent")
    }
    #expect(throws: EvaluationError.environmentDisabled(featureKey: "disabled")) {
      try visitor.decide("disabled")
    }
  }

  @Test("a flag is active unless the resulting key is exactly off")
  func offDetection() throws {
    let visitor = TestVisitor("visitor1", of: snapshot)
    #expect(try visitor.decide("flag").isActive)
    #expect(try visitor.decide("on by default").isActive)
    #expect(try !visitor.decide("off by experiment").isActive)
    #expect(try visitor.decide("OFF").isActive)
    #expect(try visitor.decide("blank").isActive)
    #expect(visitor.answer("on by default") == "on noRuleApplied []")
    #expect(visitor.answer("off by experiment") == "off 21/102 experiment [2 served]")
  }

  @Test("keys of flags are compared byte by byte")
  func keys() throws {
    let snapshot = try FileText.snapshot(
      FileText.flag("caf\u{E9}"), FileText.flag("cafe\u{301}", default: "on"))
    let visitor = TestVisitor("visitor1", of: snapshot)
    #expect(visitor.answer("caf\u{E9}") == "off noRuleApplied []")
    #expect(visitor.answer("cafe\u{301}") == "on noRuleApplied []")
    #expect(throws: EvaluationError.featureNotFound(featureKey: "Caf\u{E9}")) {
      try visitor.decide("Caf\u{E9}")
    }
    #expect(snapshot.flagCount == 2)
  }

  @Test("of two flags with one key the later wins, and the earlier is nowhere to be seen")
  func duplicateFlags() throws {
    let snapshot = try FileText.snapshot(
      FileText.flag("flag", id: 9, FileText.rule(1, FileText.entry("a", 11))),
      FileText.flag("between"),
      FileText.flag("flag", id: 2, FileText.rule(2, FileText.entry("b", 12))))
    var visitor = TestVisitor("visitor1", of: snapshot)
    #expect(visitor.answer("flag") == "b 12/102 experiment [2 served]")
    #expect(snapshot.flagCount == 2)
    #expect(snapshot.featureKeys.sorted() == ["between", "flag"])
    #expect(try visitor.evaluateAll().sorted() == ["between=off", "flag=b"])
    #expect(visitor.saved == ["102→12"])
    #expect(snapshot.overview().map(\.key).sorted() == ["between", "flag"])
    #expect(throws: EvaluationError.experimentNotFound(experimentID: 101)) {
      try visitor.force(101, "a")
    }
  }

  @Test("a resulting key that the flag lacks is kept, without name and variables")
  func unknownVariation() throws {
    let snapshot = try FileText.snapshot(
      FileText.flag("flag", FileText.rule(1, FileText.entry("ghost", 11))),
      FileText.flag("default", default: "phantom"))
    let visitor = TestVisitor("visitor1", of: snapshot)
    let variation = snapshot.variation(of: try visitor.decide("flag"))
    #expect(variation.key == "ghost" && variation.name.isEmpty && variation.variables.isEmpty)
    #expect(variation.id == 11 && variation.experimentID == 101)
    let served = snapshot.variation(of: try visitor.decide("default"))
    #expect(served.key == "phantom" && served.name.isEmpty && served.id == nil)
    #expect(try visitor.decide("default").isActive)
  }

  @Test("of two variations with one key the first is used")
  func duplicateVariations() throws {
    let snapshot = try FileText.snapshot(
      text: """
        {"featureFlags":[{"featureKey":"flag","environmentEnabled":true,"defaultVariationKey":"x",
          "variations":[{"key":"x","name":"first"},{"key":"x","name":"second"}]}]}
        """)
    let visitor = TestVisitor("visitor1", of: snapshot)
    #expect(snapshot.variation(of: try visitor.decide("flag")).name == "first")
    #expect(try snapshot.variation("x", ofFlag: "flag").name == "first")
  }

  @Test("all flags come in file order, without disabled ones")
  func all() throws {
    var visitor = TestVisitor("visitor1", of: snapshot)
    #expect(
      try visitor.evaluateAll() == [
        "flag=on", "on by default=on", "off by experiment=off", "OFF=OFF", "blank=",
      ])
    #expect(snapshot.featureKeys[1] == "disabled")
  }

  @Test("the variables of a variation need no visitor, but a flag that is switched on")
  func withoutVisitor() throws {
    let variation = try snapshot.variation("on", ofFlag: "flag")
    #expect(variation.variable("max_items")?.value == .int(3))
    #expect(variation.id == nil && variation.experimentID == nil)
    #expect(throws: EvaluationError.featureNotFound(featureKey: "absent")) {
      try snapshot.variation("on", ofFlag: "absent")
    }
    #expect(throws: EvaluationError.environmentDisabled(featureKey: "disabled")) {
      try snapshot.variation("on", ofFlag: "disabled")
    }
    #expect(throws: EvaluationError.variationNotFound(variationKey: "ghost")) {
      try snapshot.variation("ghost", ofFlag: "flag")
    }
  }
}

struct ErrorCase: Sendable, CustomTestStringConvertible {
  let error: EvaluationError
  let sentence: String
  init(_ error: EvaluationError, _ sentence: String) {
    self.error = error
    self.sentence = sentence
  }
  var testDescription: String { sentence }
}

private let errorCases: [ErrorCase] = [
  ErrorCase(.visitorCodeInvalid, "the visitor code must have 1 to 255 characters"),
  ErrorCase(
    .featureNotFound(featureKey: "f"),
    "no flag has the key \"f\"; check its spelling and the data file's environment"),
  ErrorCase(
    .environmentDisabled(featureKey: "f"),
    "the flag \"f\" is switched off in this environment; switch it on to evaluate it"),
  ErrorCase(
    .blockedByConsent(featureKey: "f"),
    "the flag \"f\" is blocked: the visitor refused consent and the project blocks fully"),
  ErrorCase(
    .variationNotFound(variationKey: "v"), "there is no variation \"v\" here; check its spelling"),
  ErrorCase(
    .variableNotFound(variableKey: "x"), "the variation has no variable \"x\"; check its spelling"),
  ErrorCase(
    .experimentNotFound(experimentID: 7),
    "no rule carries the experiment 7; check the id and the data file's environment"),
]

@Suite("Errors of calls about flags")
struct EvaluationErrorTests {
  @Test("every error is one sentence with the next step", arguments: errorCases)
  func sentences(_ row: ErrorCase) {
    #expect(row.error.description == row.sentence)
    #expect("\(row.error as any Error)" == row.sentence)
  }
}
