// SPDX-License-Identifier: Apache-2.0

import AnoleEmulator
import AnoleModels
import AnoleNetworking
import Foundation
import Testing

/// Texts that want to be something else.
private let hostileTexts: [String] = [
  "<img src=x onerror=alert(1)>", "</script><script>alert(2)</script>",
  "\"><svg onload=alert(3)>", "javascript:alert(4)", "{{7*7}}${alert(5)}",
  "\u{202E}evil\u{202C} \u{2067}right to left\u{2069}", "__proto__", "constructor",
  "\u{0000}\u{0007}\u{FEFF} nothing to see", "&lt;b&gt;&amp;#60;",
  "<iframe srcdoc='<script>parent.alert(6)</script>'>",
  "long " + String(repeating: "<b>ä\u{202E}", count: 1_400),
]

@Suite(
  "Hostile texts on the control page", .serialized, .timeLimit(.minutes(5)),
  .enabled(
    if: Driver.programs != nil,
    "chromium and chromium-driver are not installed; on Debian scripts/setup installs them"))
struct HostileTextTests {
  /// A data file in which every name is one of the texts.
  private static var dataFile: String {
    let flags = hostileTexts.enumerated().map { number, text -> JSONValue in
      let id = JSONValue.number(.integer(Int64(number + 1)))
      return [
        "id": id, "featureKey": .string(text), "environmentEnabled": true,
        "defaultVariationKey": .string(text), "mutuallyExclusiveGroup": .string(text),
        "variations": [["key": .string(text), "name": .string(text)]],
        "rules": [
          [
            "id": id, "type": .string(text), "exposition": 1, "experimentId": id, "segmentId": 1,
            "variationByExposition": [
              ["variationKey": .string(text), "variationId": id, "exposition": 1]
            ],
          ]
        ],
      ]
    }
    let condition: JSONValue = [
      "targetingType": "CUSTOM_DATUM", "isInclude": true, "customDataIndex": "1",
      "valueMatchType": "EXACT", "value": .string(hostileTexts[0]),
    ]
    let file: JSONValue = [
      "configuration": ["realTimeUpdate": true],
      "customData": .array(
        hostileTexts.enumerated().map {
          [
            "id": .number(.integer(Int64($0.offset))), "index": .number(.integer(Int64($0.offset))),
            "name": .string($0.element),
          ]
        }),
      "segments": [
        [
          "id": 1,
          "conditionsData": [
            "firstLevelOrOperators": [],
            "firstLevel": [["orOperators": [], "conditions": [condition]]],
          ],
        ]
      ],
      "featureFlags": .array(flags),
    ]
    return file.text()
  }

  private static var remoteFlags: String {
    let flags = hostileTexts.map { text -> JSONValue in
      [
        "key": .string(text), "properties": .object([.init(key: text, value: .string(text))]),
        "rules": [["id": .string(text), "users": [.string(text)]]],
      ]
    }
    return JSONValue.object([.init(key: "flags", value: .array(flags))]).text()
  }

  @Test("names of flags, variations, rules and visitors stay text, in every part of the page")
  func hostile() async throws {
    try await PageStage.with(dataFile: Self.dataFile, remoteFlags: Self.remoteFlags) { stage in
      let browser = stage.browser
      let texts = JSONValue.array(hostileTexts.map(JSONValue.string))
      try await browser.wait(
        "document.querySelectorAll('.flag').length === 2 * args[0]",
        .number(.integer(Int64(hostileTexts.count))))
      let transport = CurlTransport(CurlTransport.Configuration(proxy: .none))
      defer { transport.shutdown() }
      let lines = hostileTexts.map { text in
        let name = encoded(text)
        return "nonce=\(name)&eventType=\(name)&visitorCode=\(name)&\(name)=\(name)"
      }
      let url = "\(try stage.address)/visit/events?siteCode=\(encoded(hostileTexts[0]))"
      _ = try await transport.send(
        HTTPRequest(method: .post, url: url, body: Array(lines.joined(separator: "\n").utf8)))
      try await browser.wait(
        "document.querySelectorAll('[data-kind=event]').length === args[0].length", texts)
      try await browser.run("document.querySelector('#events-all').click()")

      for (place, expected) in [
        ("#flag-list h3 .said", "args"), ("#remote-list h3 .said", "args"),
        ("#flag-list .flag-facts > .said", "args"), ("#flag-list .rule-title b .said", "args"),
        ("#flag-list .legend .said", "args"), ("#remote-list .rule-title b .said", "args"),
        ("#event-list .visitor", "args.toReversed()"),
      ] {
        let wrong = try await browser.run(
          """
          const args = arguments[1];
          const shown = [...document.querySelectorAll(arguments[0])].map((e) => e.textContent);
          const wanted = \(expected);
          return JSON.stringify(shown) === JSON.stringify(wanted) ? null : shown;
          """, .string(place), texts)
        #expect(wrong == .null, "\(place)")
      }

      // Each is explained, as a flag and as a visitor with itself for custom data.
      for text in hostileTexts {
        let code = String(text.unicodeScalars.prefix(255).map(Character.init))
        try await browser.run(
          """
          document.querySelector('#visitor-code').value = arguments[0];
          document.querySelector('#visitor-flag').value = arguments[1];
          document.querySelector('#visitor-form button[type=submit]').click();
          """, .string(code), .string(text))
        // A field of one line drops the characters that it cannot hold.
        try await browser.wait(
          """
          document.querySelector('#visitor-answer .verdict .said')?.textContent
            === document.querySelector('#visitor-code').value
          """)
      }
      #expect(
        try await browser.run(
          "return [...document.querySelectorAll('#visitor-answer th .said')].map((e) => e.textContent)"
        )
          == texts)
      // A refusal repeats what was asked for.
      try await browser.run(
        """
        document.querySelector('#visitor-code').value = arguments[0];
        document.querySelector('#visitor-form').elements.appVersion.value = arguments[0];
        document.querySelector('#visitor-form button[type=submit]').click();
        """, .string(hostileTexts[0]))
      try await browser.wait("document.querySelector('#visitor-answer .bad')")
      // The browser itself notes that the answer was a refusal.
      let notes = try await browser.console()
      #expect(notes.count == 1 && notes[0].contains("status of 400"), "\(notes)")

      let strangers = try await browser.run(
        """
        return [...document.querySelectorAll('img, iframe, object, embed, script, b b, [onerror], [onload]')]
          .filter((e) => !e.matches('img.logo, script[src="/_page/main.js"]')).map((e) => e.outerHTML);
        """)
      #expect(strangers == [])
      for width in [320, 1280] {
        try await stage.photograph("hostile-texts", width: width, isDark: false)
      }
    }
  }

  private func encoded(_ text: String) -> String {
    text.utf8.map { byte in
      let digits = String(byte, radix: 16, uppercase: true)
      return "%" + (digits.count < 2 ? "0" + digits : digits)
    }.joined()
  }
}
