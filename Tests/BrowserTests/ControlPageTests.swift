// SPDX-License-Identifier: Apache-2.0

import AnoleEmulator
import AnoleModels
import AnoleNetworking
import Foundation
import Testing
import kameleoonClient

@Suite(
  "The control page in Chromium", .serialized, .timeLimit(.minutes(5)),
  .enabled(
    if: Driver.programs != nil,
    "chromium and chromium-driver are not installed; on Debian scripts/setup installs them"))
struct ControlPageTests {
  @Test(
    "a flag is flipped: the running client hears it and gets the variation; its exposure appears")
  func flip() async throws {
    try await PageStage.with { stage async throws in
      let browser = stage.browser
      try stage.emulator.setFlag("checkout", isEnabled: false)
      let running = try await stage.client("browser-flip", visitorCode: "anna")
      try await browser.wait("document.querySelector('#streams').textContent === '1'")
      #expect(running.variation("checkout") == nil)
      let toggle = "[data-flag=checkout] [role=switch]"
      try await browser.wait(
        "document.querySelector(args[0])?.getAttribute('aria-checked') === 'false'", .string(toggle)
      )

      try await browser.click(toggle)
      await running.waitUntil { running.variation("checkout") != nil }
      #expect(running.variation("checkout", track: true) == "two_steps")
      try await browser.wait(
        "document.querySelector('#notice').textContent === 'checkout is on. 1 stream told.'")
      running.client.flush(instant: true)
      try await browser.wait(
        """
        [...document.querySelectorAll('[data-kind=event]')].some((event) =>
          event.querySelector('.badge').textContent === 'exposure'
          && event.querySelector('.visitor').textContent === 'anna'
          && event.textContent.includes('checkout → two_steps'))
        """)

      // A split that is moved on the page reaches the client as well: all get the first variation.
      try await browser.focus("[data-flag=checkout] [data-rule='6003'] summary")
      try await browser.press(.enter)
      try await browser.focus("[data-rule='6003'] input[type=range][aria-label^='Share of off ']")
      try await browser.press(.end)
      await running.waitUntil { running.variation("checkout") == "off" }
      await running.client.close()
      try await browser.wait("document.querySelector('#streams').textContent === '0'")
    }
  }

  @Test("a split moves by keyboard alone, step by step, and what is written by hand counts too")
  func split() async throws {
    try await PageStage.with { stage async throws in
      let browser = stage.browser
      let rule = "[data-rule='6003']"
      func shares() async throws -> JSONValue {
        try await browser.run(
          "return [...document.querySelectorAll(arguments[0] + ' .legend .share')].map((e) => e.textContent)",
          .string(rule))
      }
      try await browser.wait("document.querySelector(args[0])", .string(rule))
      #expect(try await shares() == ["40%", "30%", "30%"])
      // From the top of the page with nothing but Tab; each place on the way shows that it has the focus.
      var steps = 0
      while try await browser.run(
        "return document.activeElement.closest(arguments[0]) === null", .string(rule)) == true
      {
        try await browser.press(.tab)
        #expect(
          try await browser.run(
            "return getComputedStyle(document.activeElement).outlineStyle") != "none")
        steps += 1
        try #require(steps < 40)
      }
      try await browser.press(.enter, .tab)
      try await browser.press(.left, .left)
      try await browser.wait(
        "document.querySelector(args[0]).textContent.includes('88% of those')", .string(rule))
      try await browser.press(.tab, .tab)
      try await browser.press(.right, .right, .right)
      try await browser.wait(
        "document.querySelector(args[0] + ' .legend').textContent.includes('two_steps 27%')",
        .string(rule))
      #expect(try await shares() == ["43%", "27%", "30%"])
      try await waitForFile(stage) { $0.contains(#""exposition": 0.43 }"#) }
      let file = try await served(stage)
      #expect(file.contains(#""type": "EXPERIMENTATION", "exposition": 0.88,"#))
      #expect(file.contains(#""variationId": 910212, "exposition": 0.27 }"#))
      #expect(file.contains(#""variationId": 910213, "exposition": 0.3 }"#))

      // A number, and one that is none.
      let field = "[aria-label='Share of one_page in rule 6003 of checkout, number in percent']"
      try await set(field, to: "12.5", browser)
      try await browser.wait(
        "document.querySelector(args[0] + ' .legend').textContent.includes('one_page 12.5%')",
        .string(rule))
      #expect(try await shares() == ["43%", "44.5%", "12.5%"])
      try await set(field, to: "120", browser)
      try await browser.wait(
        "document.querySelector('#notice').textContent === 'A share is a number from 0 to 100.'")
      #expect(
        try await browser.run("return document.querySelector(arguments[0]).value", .string(field))
          == "12.5")
    }
  }

  @Test("a remote flag is killed and lives again; the switch keeps the focus")
  func kill() async throws {
    try await PageStage.with { stage async throws in
      let browser = stage.browser
      let kill = "[data-remote=free_shipping] .danger"
      try await browser.wait("document.querySelector(args[0])", .string(kill))
      #expect(try await remoteFlag("free_shipping", stage)["enabled"] == true)
      try await browser.focus(kill)
      try await browser.press(.space)
      try await browser.wait(
        "document.querySelector(args[0]).getAttribute('aria-checked') === 'true'", .string(kill))
      let flag = try await remoteFlag("free_shipping", stage)
      #expect(flag["enabled"] == false)
      #expect(flag["rule_id"] == "")
      #expect(
        try await browser.run(
          "return document.activeElement.getAttribute('aria-label')") == "Kill free_shipping")
      try await browser.press(.space)
      try await browser.wait(
        "document.querySelector(args[0]).getAttribute('aria-checked') === 'false'", .string(kill))
      #expect(try await remoteFlag("free_shipping", stage)["enabled"] == true)
    }
  }

  @Test("the visitor box explains, follows changes, and takes data of the visitor")
  func explanation() async throws {
    try await PageStage.with { stage async throws in
      let browser = stage.browser
      let verdict = "#visitor-answer .verdict"
      func waitForVerdict(_ text: String) async throws {
        try await browser.wait(
          "document.querySelector(args[0]).textContent.startsWith(args[1])", .string(verdict),
          .string(text))
      }
      try await browser.wait("document.querySelector('[data-flag=checkout] .explain')")
      try await set("#visitor-code", to: "anna", browser)
      try await browser.click("[data-flag=checkout] .explain")
      try await waitForVerdict("anna gets two_steps — the split of an experiment")
      let steps = try await browser.run(
        "return document.querySelector('#visitor-answer .tree').textContent")
      for words in [
        "hashed by the visitor code: anna", "not in the holdout: hash of anna900100",
        "rule 6002 delivery, experiment 900102: not targeted", "attribute missing",
        "hash of anna900103 is 0.4161",
      ] {
        #expect(steps.stringValue?.contains(words) == true, "\(words)")
      }
      // A change elsewhere is seen at once.
      try stage.emulator.setSplit([1, 0, 0], ofRule: 6003, inFlag: "checkout")
      try await waitForVerdict("anna gets off")
      try await browser.click("#custom-add")
      try await set(".custom-name", to: "plan", browser)
      try await set(".custom-value", to: "gold", browser)
      try await browser.click("#visitor-form button[type=submit]")
      try await waitForVerdict("anna gets one_page — a targeted delivery")
      // Another flag from the list of all.
      try await browser.click("#visitor-answer tr:first-child button")
      try await waitForVerdict("anna gets on")
      #expect(
        try await browser.run("return document.querySelector('#visitor-flag').value")
          == "express_delivery")
    }
  }

  @Test(
    "where the emulator asks for a token the page works after it was shown once, without it in the address"
  )
  func token() async throws {
    try await PageStage.with(token: "a-token-of-24-characters") { stage async throws in
      let browser = stage.browser
      try await browser.wait("document.querySelector('[data-flag=checkout] [role=switch]')")
      #expect(try await browser.run("return location.href") == .string("\(try stage.address)/"))
      #expect(try await browser.run("return document.cookie") == "")
      try await browser.click("[data-flag=checkout] [role=switch]")
      try await browser.wait(
        "document.querySelector('#notice').textContent === 'checkout is off. 0 streams told.'")
      #expect(try await served(stage).contains(#""checkout", "environmentEnabled": false"#))
    }
  }

  @Test("everything has a name, nothing is wider than the page, and there are pictures to look at")
  func appearance() async throws {
    try await PageStage.with { stage async throws in
      let browser = stage.browser
      try await fill(stage)
      let nameless = try await browser.run(
        """
        return [...document.querySelectorAll('button, input, select, summary, [role=img]')]
          .filter((e) => !(e.getAttribute('aria-label') || e.textContent.trim() || e.labels?.length))
          .map((e) => e.outerHTML);
        """)
      #expect(nameless == [])
      for width in [320, 400, 1280] {
        for isDark in [false, true] {
          try await stage.photograph("control-page", width: width, isDark: isDark)
        }
      }
      print("Pictures of the control page are in \(PageStage.pictures.path)")
    }
  }

  // MARK: - Support

  /// Lets everything on the page have something to show.
  private func fill(_ stage: PageStage) async throws {
    let browser = stage.browser
    let line =
      "nonce=0123456789ABCDEF&eventType=experiment&id=900103&variationId=910212&visitorCode=anna"
    let conversion =
      "nonce=0123456789ABCDE0&eventType=conversion&goalId=17&revenue=49.9&negative=false&visitorCode=anna"
    for lines in ["\(line)\n\(conversion)", line, "eventType=surprise"] {
      _ = try await post(stage, "/visit/events?siteCode=shop", lines)
    }
    let impression: JSONValue = [
      "request": [
        "application": "A1B2C-D3E4F", "hwid": "device-1", "userId": "anna",
        "event": "PW_FeatureFlagImpression",
        "attributes": ["flag_key": "new_checkout", "rule_id": "r_1a2b3c4d", "enabled": true],
      ]
    ]
    _ = try await post(stage, "/json/1.3/postEvent", impression.text())
    try await browser.wait("document.querySelector('[data-kind=impression]')")
    try await browser.wait("document.querySelector('.is-duplicate .finding')")
    try await set("#visitor-code", to: "anna", browser)
    try await browser.click("[data-flag=checkout] .explain")
    try await browser.click("[data-rule='6003'] summary")
    try await browser.run("document.querySelector('#traffic-flag').value = 'checkout'")
    try await browser.click("#traffic-form button")
    try await browser.wait("document.querySelector('#visitor-answer .verdict')")
    try await browser.wait("document.querySelectorAll('.shares svg').length === 5")
    #expect(
      try await browser.run("return document.querySelector('#traffic-answer .verdict').textContent")
        .stringValue?.hasPrefix("The split holds") == true)
    try await browser.run("document.activeElement.blur()")
  }

  /// Writes into a field as a user does.
  private func set(_ selector: String, to text: String, _ browser: Browser) async throws {
    try await browser.run(
      """
      const field = document.querySelector(arguments[0]);
      field.value = arguments[1];
      for (const name of ["input", "change"]) field.dispatchEvent(new Event(name, {bubbles: true}));
      """, .string(selector), .string(text))
  }

  private func post(
    _ stage: PageStage, _ target: String, _ body: String
  ) async throws -> HTTPResponse {
    let transport = CurlTransport(CurlTransport.Configuration(proxy: .none))
    defer { transport.shutdown() }
    return try await transport.send(
      HTTPRequest(method: .post, url: try stage.address + target, body: Array(body.utf8)))
  }

  private func remoteFlag(_ key: String, _ stage: PageStage) async throws -> JSONValue {
    let response = try await post(
      stage, "/json/1.3/getFeatureFlags", #"{"request": {"application": "A", "hwid": "h"}}"#)
    let flags = try JSONValue(parsing: response.body)["response"]?["flags"]?.arrayValue ?? []
    return try #require(flags.first { $0["key"] == .string(key) })
  }

  /// The data file as clients get it.
  private func served(_ stage: PageStage) async throws -> String {
    let transport = CurlTransport(CurlTransport.Configuration(proxy: .none))
    defer { transport.shutdown() }
    let response = try await transport.send(
      HTTPRequest(method: .get, url: try stage.address + "/v3/shop"))
    return String(decoding: response.body, as: UTF8.self)
  }

  /// Waits until the page has no change under way any more, then checks the file.
  private func waitForFile(
    _ stage: PageStage, _ isRight: (String) -> Bool
  ) async throws {
    try await stage.browser.wait(
      "document.querySelector('#notice').textContent.startsWith('checkout: off 43%')")
    #expect(isRight(try await served(stage)))
  }
}
