// SPDX-License-Identifier: Apache-2.0

import AnoleBenchCore
import AnoleEvaluation
import AnoleModels
import AnoleTargeting

/// Reads the inputs of bench/gen.py.
struct Inputs {
  /// Visit conditions are not part of any workload, so that one moment serves all calls.
  static let moment = Moment(now: Timestamp(milliseconds: 1_763_000_000_000))

  let folder: String

  func bytes(_ name: String) throws(BenchmarkError) -> [UInt8] {
    try System.read("\(folder)/\(name)")
  }

  func snapshot(_ name: String) throws(BenchmarkError) -> Snapshot {
    try Self.snapshot(try bytes(name))
  }

  static func snapshot(_ bytes: [UInt8]) throws(BenchmarkError) -> Snapshot {
    do throws(DataFileError) {
      return Snapshot(try DataFile(parsing: bytes), sdk: SDKIdentity(version: "4.27.2"))
    } catch {
      throw BenchmarkError(error.description)
    }
  }

  func visitors() throws(BenchmarkError) -> [String] {
    try bytes("visitors.txt").split(separator: UInt8(ascii: "\n")).map {
      String(decoding: $0, as: UTF8.self)
    }
  }

  /// The code of visitor.json and a record with its data.
  func visitor() throws(BenchmarkError) -> (code: String, record: VisitorRecord) {
    let value: JSONValue
    let bytes = try bytes("visitor.json")
    do throws(JSONError) {
      value = try JSONValue(parsing: bytes)
    } catch {
      throw BenchmarkError("visitor.json: \(error)")
    }
    let text = { (key: String) in value[key]?.stringValue ?? "" }
    guard let device = Device(rawValue: text("device")),
      let system = OperatingSystem(rawValue: text("os")),
      let browser = BrowserType(rawValue: text("browser"))
    else { throw BenchmarkError("visitor.json: has an unknown device, os or browser") }
    var data: [VisitorDatum] = [
      .geolocation(Geolocation(country: text("country"))), .device(device),
      .operatingSystem(system),
      .browser(Browser(type: browser, version: value["browserVersion"]?.doubleValue)),
      .cookies([Cookie(name: "session", value: text("cookie"))]),
    ]
    data += (1...6).map { .customData(index: $0, values: [text("cd\($0)")]) }
    let code = text("code")
    var record = VisitorRecord(visitStart: Self.moment.now)
    for datum in data {
      record.add(
        datum, visitorCode: code, from: .application(isTracked: false), at: Self.moment.now,
        catalogue: CustomDataCatalogue())
    }
    return (code, record)
  }
}
