// SPDX-License-Identifier: Apache-2.0

import AnoleEvaluation
import AnoleModels
import AnoleTargeting

/// Which checkout a visitor gets, and every step that led there.
func checkout(of visitorCode: String, in file: [UInt8], now: Timestamp) throws -> (String, String) {
  let snapshot = Snapshot(try DataFile(parsing: file), sdk: SDKIdentity(version: "1.0.0"))
  var record = VisitorRecord(visitStart: now)
  let moment = Moment(now: now)
  let decision = try snapshot.decide(
    "new_checkout", visitorCode: visitorCode, record: record, at: moment)
  snapshot.save(decision, in: &record, at: now, isTracked: true)
  let trace = try snapshot.explain(
    "new_checkout", visitorCode: visitorCode, record: record, at: moment)
  return (decision.variationKey, trace.description)
}
