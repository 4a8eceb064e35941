// SPDX-License-Identifier: Apache-2.0

import AnoleModels
import Testing

@testable import AnoleDemoCLI

@Suite("explain")
struct ExplainTests {
  // The hash values stand, rounded, in section 1.10 of the specification.
  @Test("prints every step")
  func text() async {
    let output = await run(
      "explain", "new_checkout", "--visitor", "grace-hopper", "--data-file", Place.workedExample)
    for part in [
      "holdout 300900: hash of \"grace-hopper300900\" = 0.47482",
      "rule 6001 (TARGETED_DELIVERY, experiment 300101): not targeted, next rule",
      "admission: hash of \"grace-hopper60021758000000000\" = 0.00268",
      "choice: hash of \"grace-hopper3001021758000000000\" = 0.59605",
      "→ up to 0.67: one_page (990112)",
      "result: \"one_page\" (variation 990112, experiment 300102): the split of an experiment",
    ] {
      #expect(output.text.contains(part), "\(part)")
    }
    #expect(output.status == 0)
  }

  @Test("prints the structured trace")
  func json() async throws {
    let trace = try await runJSON(
      "explain", "promo_a", "--visitor", "radia", "--custom", "1=pro", "--country", "FRANCE",
      "--data-file", Place.workedExample)
    #expect(trace["hashKey"] == "radia")
    #expect(trace["group"]?["members"] == ["promo_a", "promo_b"])
    #expect(trace["group"]?["picked"] == "promo_a")
    let groups = trace["rules"]?[0]?["segment"]?["groups"]
    #expect(groups?[0]?["match"] == false)
    #expect(groups?[0]?["joinsNextWith"] == "OR")
    #expect(groups?[1]?["conditions"]?[1]?["segment"]?["id"] == 8001)
    #expect(groups?[1]?["conditions"]?[1]?["segment"]?["match"] == true)
    #expect(trace["outcome"]?["variationId"] == 990131)
    #expect(trace["failure"] == .null)
  }

  @Test("a disabled flag is explained, with status 1")
  func disabled() async {
    let output = await run("explain", "old_search", "--visitor", "anna")
    #expect(output.text.contains("environment: disabled"))
    #expect(output.text.contains("failed: the flag \"old_search\" is switched off"))
    #expect(output.status == 1)
  }

  @Test("--since names the step that changed the answer")
  func since() async throws {
    let output = await run(
      "explain", "checkout", "--visitor", "anna", "--data-file", "shop-after.json", "--since",
      "shop-before.json")
    #expect(output.text.contains("\nsince shop-before.json\n"))
    #expect(output.text.contains("\n  what changed it: rule 6003, admission\n"))
    let document = try await runJSON(
      "explain", "checkout", "--visitor", "anna", "--data-file", "shop-after.json", "--since",
      "shop-before.json")
    #expect(document["since"]?["changed"] == true)
    #expect(document["since"]?["cause"]?["part"] == "admission")
    #expect(document["since"]?["dataFile"] == "shop-before.json")
    let same = try await runJSON(
      "explain", "checkout", "--visitor", "anna", "--since", "shop-before.json")
    #expect(same["since"]?["changed"] == false)
    let new = try await runJSON(
      "explain", "new_search", "--visitor", "anna", "--data-file", "shop-after.json", "--since",
      "shop-before.json")
    #expect(new["since"]?["cause"]?["step"] == "flag")
    #expect(try await runJSON("explain", "checkout", "--visitor", "anna")["since"] == nil)
  }
}
