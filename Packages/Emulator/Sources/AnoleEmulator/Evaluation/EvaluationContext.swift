// SPDX-License-Identifier: Apache-2.0

import AnoleEvaluation
import AnoleModels
import AnoleTargeting

/// Whom a decision is for and what is known of them, as an evaluation context of OpenFeature says it.
///
/// | member | value | meaning |
/// | --- | --- | --- |
/// | `targetingKey` | string | the visitor code |
/// | a declared name of custom data, or its index (`"3"`) | scalar or list of scalars | its values |
/// | `customData` | object of the same | the same, never taken for anything else |
/// | `device` | `phone`, `tablet`, `desktop` | the device |
/// | `os` or `operatingSystem` | `windows`, `mac`, `ios`, `linux`, `android`, `windows_phone` | the system |
/// | `browser` | `chrome`, `ie`, `firefox`, `safari`, `opera`, `other` | the browser |
/// | `browserVersion` | number, or its text | the version of `browser` |
/// | `country`, `region`, `city` | string | the place; the last two need the first |
/// | `appVersion` | version such as `2.10.1` | the application's version |
/// | `pageUrl`, `pageTitle` | string | the page that is viewed; the title needs the address |
/// | `previousVisits` | list of integers | when earlier visits began, in milliseconds since 1970 |
/// | `cookies` | object of strings | all cookies |
/// | `consent` | Boolean, `given` or `refused` | legal consent |
/// | `forcedVariations` | object: experiment id to variation key | forced past targeting |
/// | `now` | integer | the time in milliseconds since 1970 instead of the emulator's |
/// | `utcOffset` | integer | the visitor's time zone in seconds, east positive |
///
/// A name that is reserved and declared as well goes to both. `null` is the same as absent. Scalars
/// become texts: `true`, `5`, `2.5`. Other names are ignored, and ``remarks`` lists them.
struct EvaluationContext: Sendable {
  let visitorCode: String
  /// What is known, custom data first.
  let items: [VisitorDatum]
  let consent: LegalConsent
  let forced: [ForcedVariation]
  let moment: Moment
  /// What was not used: the member as path, and why.
  let remarks: [Diagnostic]

  /// Reads a context.
  ///
  /// - Parameters:
  ///   - json: The context.
  ///   - snapshot: The data file, which declares custom data and experiments.
  ///   - now: The time where the context tells none.
  init(
    _ json: JSONValue, _ snapshot: Snapshot, now: Timestamp
  ) throws(EvaluationContextError) {
    let visitorCode = try Self.visitorCode(json)
    var reader = EvaluationContextReader(snapshot, now: now)
    for member in json.objectValue ?? [] where member.key != "targetingKey" {
      try reader.read(member)
    }
    self.visitorCode = visitorCode
    items = try reader.items()
    consent = reader.consent
    forced = reader.forced
    moment = reader.moment
    remarks = reader.remarks
  }

  /// The visitor code, which can be read before the data file is known.
  static func visitorCode(_ json: JSONValue) throws(EvaluationContextError) -> String {
    guard json.objectValue != nil else {
      throw EvaluationContextError(.invalidContext, "context must be an object")
    }
    guard let value = json["targetingKey"], !value.isNull else {
      throw EvaluationContextError(
        .targetingKeyMissing, "context.targetingKey is missing: give the visitor's code")
    }
    guard let text = value.stringValue else {
      throw EvaluationContextError(.invalidContext, "context.targetingKey must be a string")
    }
    guard !text.isEmpty else {
      throw EvaluationContextError(
        .targetingKeyMissing, "context.targetingKey is empty: give the visitor's code")
    }
    guard VisitorCode.isValid(text) else {
      throw EvaluationContextError(
        .invalidContext,
        "context.targetingKey must have 1 to \(VisitorCode.maximumLength) characters")
    }
    return text
  }

  /// All that is known, as decisions want it.
  func record(_ snapshot: Snapshot) -> VisitorRecord {
    VisitorRecord(
      items, visitorCode: visitorCode, consent: consent, forced: forced, at: moment.now,
      catalogue: snapshot.customData)
  }
}

/// Why a context cannot be used.
struct EvaluationContextError: Error, Sendable, Hashable {
  /// What went wrong, as OpenFeature names it.
  enum Code: String, Sendable, Hashable {
    case targetingKeyMissing = "TARGETING_KEY_MISSING"
    case invalidContext = "INVALID_CONTEXT"
  }

  let code: Code
  /// One sentence without a full stop: the place, what was wrong there, what to do.
  let message: String

  init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }
}
