// SPDX-License-Identifier: Apache-2.0

import AnoleModels
import Testing

@Suite("Documentation")
struct DocumentationTests {
  @Test("the example does what it says")
  func example() throws {
    let gold =
      #"{"targetingType":"CUSTOM_DATUM","customDataIndex":"7","valueMatchType":"EXACT","#
      + #""value":"gold"}"#
    let text =
      #"{"segments":[{"id":1,"audienceTracking":true,"conditionsData":\#(Fixture.tree([gold]))},"#
      + #"{"id":2,"conditionsData":\#(Fixture.tree([gold]))}]}"#
    let dataFile = try DataFile(parsing: Array(text.utf8))
    let now = Timestamp(milliseconds: Time.now)
    #expect(
      audiences(ofLevel: "gold", in: dataFile, at: now) == [
        """
        segment 1: match
          CUSTOM_DATUM customDataIndex="7" valueMatchType="EXACT" value="gold": match
        """
      ])
    #expect(audiences(ofLevel: "silver", in: dataFile, at: now) == [])
  }

  @Test(
    "the documents show the example that is compiled here",
    arguments: ["README.md", "Sources/AnoleTargeting/AnoleTargeting.docc/AnoleTargeting.md"])
  func sameExample(_ document: String) throws {
    let source = try Repository.text("Tests/AnoleTargetingTests/Example.swift")
    let code = source.split(separator: "\n", omittingEmptySubsequences: false).dropFirst(2)
      .joined(separator: "\n")
    #expect(try Repository.text(document).contains("```swift\n\(code)```\n"))
  }
}
