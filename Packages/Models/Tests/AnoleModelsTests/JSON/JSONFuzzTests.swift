// SPDX-License-Identifier: Apache-2.0

import AnoleModels
import AnoleModelsTesting
import Testing

private let seeds: [String] = [
  #"{"a":[1,-2.5e10,true,false,null,"x\u00e9\ud83d\ude00\n"],"b":{"c":{"d":[[],{}]}}}"#,
  #"[0,-0,1e400,9223372036854775808,123456789012345678901234567890,0.1,1E-5,"é😀"]"#,
  #"{"featureFlags":[{"id":1,"featureKey":"k","variations":[{"key":"on","variables":[{"key":"v","#
    + #""type":"JSON","value":"{\"x\":[1]}"}]}],"rules":[{"id":2,"exposition":0.5,"#
    + #""variationByExposition":[{"variationKey":"on","variationId":3,"exposition":1}]}]}],"#
    + #""segments":[{"id":1,"conditionsData":{"firstLevel":[]}}],"holdout":{"experimentId":1},"#
    + #""customData":[{"index":1,"name":"n"}],"configuration":{"realTimeUpdate":true}}"#,
]

/// Bytes that steer a reader more often than random ones.
private let interesting: [UInt8] = Array("[]{}\",:\\u0eE+-.tfn \n".utf8) + [0x00, 0x80, 0xC3, 0xFF]

@Suite("JSON under random changes")
struct JSONFuzzTests {
  @Test("20,000 mutated documents are read or refused, and what is read can be written")
  func mutations() throws {
    var random = SeededGenerator(seed: 42)
    var accepted = 0
    for round in 0..<20_000 {
      let bytes = Self.mutate(Array(seeds[round % seeds.count].utf8), using: &random)
      let reading = Result { () throws(JSONError) in try JSONValue(parsing: bytes) }
      switch reading {
      case .success(let value):
        accepted += 1
        #expect(try JSONValue(parsing: value.text()) == value)
        #expect(Self.isDateReadAlike(bytes))
      case .failure(let error):
        #expect((0...bytes.count).contains(error.offset))
        let file = Result { () throws(DataFileError) in try DataFile.read(bytes) }
        #expect(throws: DataFileError.malformed(error)) { try file.get() }
        #expect(Self.isDateReadAlike(bytes))
      }
    }
    #expect((100...19_900).contains(accepted), "the changes are neither too mild nor too wild")
  }

  /// Whether the date alone, and the file as part of an array, give what reading the file gives.
  private static func isDateReadAlike(_ bytes: [UInt8]) -> Bool {
    let whole = Result { () throws(DataFileError) in try DataFile.read(bytes) }
    let date = Result { () throws(DataFileError) in try DataFile.dateModified(of: bytes) }
    let slice = ([1, 2, 3] + bytes + [4])[3..<3 + bytes.count]
    let part = Result { () throws(DataFileError) in try DataFile.read(slice) }
    return whole.map(\.dataFile.dateModified) == date && whole == part
  }

  private static func mutate(
    _ original: [UInt8], using random: inout SeededGenerator
  ) -> [UInt8] {
    var bytes = original
    for _ in 0..<Int.random(in: 1...4, using: &random) where !bytes.isEmpty {
      let place = Int.random(in: 0..<bytes.count, using: &random)
      let byte =
        Bool.random(using: &random)
        ? UInt8.random(in: 0...255, using: &random)
        : interesting[Int.random(in: 0..<interesting.count, using: &random)]
      switch Int.random(in: 0..<5, using: &random) {
      case 0: bytes[place] = byte
      case 1: bytes.insert(byte, at: place)
      case 2: bytes.remove(at: place)
      case 3: bytes.removeLast(min(bytes.count, Int.random(in: 0...3, using: &random)))
      default:
        let end = Int.random(in: place...bytes.count, using: &random)
        bytes.insert(contentsOf: bytes[place..<end], at: place)
      }
    }
    return bytes
  }
}
