// SPDX-License-Identifier: Apache-2.0

import AnoleModels
import AnoleTargeting

/// Runs `targeting.json`: one condition, or one tree of conditions, a case.
struct TargetingVectors {
  /// The id of the segment that holds the case's conditions.
  private static let segmentID: Int64 = -1

  let dataFiles: [String: DataFile]

  mutating func run(_ cases: [JSONValue], file name: String) -> ConformanceReport.File {
    var file = ConformanceReport.File(name: name)
    for item in cases {
      let id = item["id"]?.stringValue ?? "case without id"
      do throws(VectorError) {
        let (isMatch, trace) = try evaluate(item)
        if isMatch == item["expect"]?.boolValue, trace.isMatch == isMatch {
          file.passed += 1
        } else {
          file.fail(id, "expected \(item["expect"] ?? .null), got \(isMatch)\n\(trace)")
        }
      } catch {
        file.fail(id, error.description)
      }
    }
    return file
  }

  private func evaluate(_ item: JSONValue) throws(VectorError) -> (Bool, SegmentTrace) {
    var dataFile = try dataFile(of: item)
    var segment = Segment(id: Self.segmentID)
    segment.conditions = .tree(RawJSON(try conditions(of: item)))
    dataFile.segments.append(segment)
    let sdk = SDKIdentity(
      name: item["sdk"]?[0]?.stringValue ?? VectorFolder.sdkName,
      version: item["sdk"]?[1]?.stringValue ?? VectorFolder.sdkVersion)
    let index = SegmentIndex(dataFile, sdk: sdk)
    guard let position = index.position(of: Self.segmentID) else {
      throw VectorError("the case's segment was not compiled")
    }
    let now = try VectorData.time(item, "now")
    let visitorCode = try VectorData.text(item, "visitor")
    var record = VisitorRecord(
      visitStart: item["visitStart"] == nil ? now : try VectorData.time(item, "visitStart"))
    let catalogue = CustomDataCatalogue(dataFile.customData)
    for datum in item["data"]?.arrayValue ?? [] {
      record.add(
        try VectorData.datum(datum, now: now), visitorCode: visitorCode,
        from: .application(isTracked: true), at: now, catalogue: catalogue)
    }
    let subject = TargetingSubject(
      visitorCode: visitorCode, record: record, moment: Moment(now: now))
    let campaign = item["experimentId"]?.integerValue
    return (
      index.matches(segmentAt: position, subject, campaign: campaign),
      index.explain(segmentAt: position, subject, campaign: campaign)
    )
  }

  private func dataFile(of item: JSONValue) throws(VectorError) -> DataFile {
    guard let name = item["df"]?.stringValue else { return DataFile() }
    guard let dataFile = dataFiles[name] else {
      throw VectorError("there is no data file \"\(name)\"")
    }
    return dataFile
  }

  private func conditions(of item: JSONValue) throws(VectorError) -> JSONValue {
    if let tree = item["conditions"] { return tree }
    guard let condition = item["condition"] else { throw VectorError("the case has no condition") }
    return ["firstLevel": [["conditions": [condition]]]]
  }
}
