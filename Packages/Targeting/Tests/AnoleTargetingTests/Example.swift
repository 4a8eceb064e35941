// SPDX-License-Identifier: Apache-2.0

import AnoleModels
import AnoleTargeting

/// The audiences of a data file that a visitor with this loyalty level is in, each with its reasons.
func audiences(ofLevel level: String, in dataFile: DataFile, at now: Timestamp) -> [String] {
  let index = SegmentIndex(dataFile, sdk: SDKIdentity(version: "1.0.0"))
  var record = VisitorRecord(visitStart: now)
  record.add(
    .customData(index: 7, values: [level]), visitorCode: "v1",
    from: .application(isTracked: true), at: now,
    catalogue: CustomDataCatalogue(dataFile.customData))
  let subject = TargetingSubject(visitorCode: "v1", record: record, moment: Moment(now: now))
  return index.audiences.map { index.explain(segmentAt: $0, subject) }
    .filter(\.isMatch).map(\.description)
}
