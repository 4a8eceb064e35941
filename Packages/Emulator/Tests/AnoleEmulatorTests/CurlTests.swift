// SPDX-License-Identifier: Apache-2.0

import AnoleEmulator
import AnoleNetworkingTesting
import Testing

@Suite("With the curl command")
struct CurlTests {
  private func curl(_ arguments: String...) async throws -> String {
    String(
      decoding: try await onThread {
        try runTool("curl", ["--silent", "--max-time", "60", "--noproxy", "*"] + arguments)
      }, as: UTF8.self)
  }

  @Test("the examples of the documentation work")
  func examples() async throws {
    try await withEmulator { emulator async throws in
      let base = try #require(emulator.baseURL)
      #expect(
        try await curl(
          "\(base)/_control/data-file", "-d",
          #"{"json": {"flags": []}, "lastModified": "Mon, 24 Nov 2025 16:00:00 GMT"}"#)
          == "{\"bytes\":12}\n")
      #expect(try await curl("\(base)/v3/tstsite001") == #"{"flags":[]}"#)
      let status = ["--output", "/dev/null", "--write-out", "%{http_code}"]
      #expect(
        try await curl(
          status[0], status[1], status[2], status[3], "-H",
          "If-Modified-Since: Mon, 24 Nov 2025 16:00:00 GMT", "\(base)/v3/tstsite001") == "304")
      _ = try await curl(
        "\(base)/_control/faults", "-d", #"{"route": "config", "times": 1, "status": 503}"#)
      #expect(
        try await curl(
          status[0], status[1], status[2], status[3], "\(base)/v3/tstsite001") == "503")
      let journal = try await curl("\(base)/_control/journal?route=config")
      #expect(journal.contains(#""count":3"#))
    }
  }

  @Test("a large body with Expect is taken, one over the limit refused")
  func expect() async throws {
    let body = String(repeating: "a", count: 2 << 20)
    try await withEmulator(Emulator(maximumBodyBytes: 2 << 20)) { emulator async throws in
      let target = "\(try #require(emulator.baseURL))/visit/events?siteCode=s"
      func status(_ input: String) async throws -> String {
        let output = try await onThread {
          try runTool(
            "curl",
            [
              "--silent", "--max-time", "60", "--noproxy", "*", "--data-binary", "@-", "-H",
              "Expect: 100-continue", "--output", "/dev/null", "--write-out", "%{http_code}",
              target,
            ], input: Array(input.utf8))
        }
        return String(decoding: output, as: UTF8.self)
      }
      #expect(try await status(body) == "204")
      #expect(try await status(body + "a") == "413")
    }
  }
}
