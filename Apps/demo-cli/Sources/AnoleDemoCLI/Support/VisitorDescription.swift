// SPDX-License-Identifier: Apache-2.0

import AnoleEvaluation
import AnoleModels
import AnoleTargeting

/// What is said about a visitor, ready to become a record.
struct VisitorDescription: Sendable {
  var items: [VisitorDatum] = []
  var isConsentGiven: Bool?
  var forced: [ForcedVariation] = []
  let moment: Moment

  /// A visitor of whom nothing is known.
  init(moment: Moment) { self.moment = moment }

  /// Reads the options.
  init(
    _ arguments: Arguments, _ source: DataSource, in environment: Environment
  ) throws(Failure) {
    moment = try VisitorOptions.moment(arguments, in: environment)
    items = try VisitorOptions.items(arguments, source)
    isConsentGiven = try VisitorOptions.isConsentGiven(arguments)
    for text in arguments.values(VisitorOptions.force) {
      forced.append(try Self.forced(text, source))
    }
  }

  private static func forced(
    _ text: String, _ source: DataSource
  ) throws(Failure) -> ForcedVariation {
    let (name, key) = try VisitorOptions.pair(text, VisitorOptions.force)
    guard let id = Int64(name) else {
      throw Failure(
        "\(VisitorOptions.force.text) wants the id of an experiment, not \(Printable.quote(name))")
    }
    let rules = source.snapshot.dataFile.featureFlags.flatMap(\.rules)
    do throws(EvaluationError) {
      return try source.snapshot.forcedVariation(experimentID: id, variationKey: key)
    } catch {
      guard case .variationNotFound = error else {
        let ids = rules.map { String($0.experimentID) }
        throw Failure("\(source.name) has no experiment \(id); \(DataSource.hint(name, ids))")
      }
      let split = rules.last { $0.experimentID == id }?.split ?? []
      throw Failure(
        "experiment \(id) has no variation \(Printable.quote(key)); "
          + DataSource.hint(key, split.map(\.variationKey)))
    }
  }

  /// A record with everything that is known, under a visitor code.
  func record(of visitorCode: String, _ snapshot: Snapshot) -> VisitorRecord {
    let consent = isConsentGiven.map { $0 ? LegalConsent.given : .refused }
    return VisitorRecord(
      items, visitorCode: visitorCode, consent: consent ?? .unknown, forced: forced,
      at: moment.now, catalogue: snapshot.customData)
  }

  /// The visitor code of the arguments.
  static func code(_ arguments: Arguments, example: String) throws(Failure) -> String {
    guard let code = arguments.value(VisitorOptions.visitor) else {
      throw Failure("--visitor is missing; say whom to decide for: \(example) --visitor anna")
    }
    guard VisitorCode.isValid(code) else {
      throw Failure("--visitor wants 1 to \(VisitorCode.maximumLength) characters")
    }
    return code
  }
}
