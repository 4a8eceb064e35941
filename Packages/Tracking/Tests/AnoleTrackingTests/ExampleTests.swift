// SPDX-License-Identifier: Apache-2.0

import AnoleTracking
import Testing

/// The example of the README.
func body(of visitorCode: String) -> [UInt8] {
  var generator = SystemRandomNumberGenerator()
  var lines = EventLines()
  let events: [TrackingEvent] = [
    .experiment(experimentID: 300_101, variationID: 990_101),
    .conversion(goalID: 77, revenue: 12.5),
  ]
  for event in events {
    lines.append(
      event, nonce: Nonce(using: &generator), identity: .visitorCode(visitorCode))
  }
  return lines.bytes
}

@Suite("Example")
struct ExampleTests {
  @Test("the example gives two lines")
  func example() {
    let text = String(decoding: body(of: "anna"), as: UTF8.self)
    let lines = text.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(
      lines[0].hasSuffix("&eventType=experiment&id=300101&variationId=990101&visitorCode=anna"))
    #expect(
      lines[1].hasSuffix(
        "&eventType=conversion&goalId=77&revenue=12.5&negative=false&visitorCode=anna"))
  }
}
