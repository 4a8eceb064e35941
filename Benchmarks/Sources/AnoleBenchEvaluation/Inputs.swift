// SPDX-License-Identifier: Apache-2.0

import AnoleBenchCore
import AnoleBenchInputs
import AnoleEvaluation
import AnoleModels
import AnoleTargeting

/// Reads the inputs of bench/gen.py.
struct Inputs: Sendable {
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
    let input = try VisitorInput(folder: folder)
    var record = VisitorRecord(visitStart: Self.moment.now)
    for datum in input.data {
      record.add(
        datum, visitorCode: input.code, from: .application(isTracked: false), at: Self.moment.now,
        catalogue: CustomDataCatalogue())
    }
    return (input.code, record)
  }
}
