// SPDX-License-Identifier: Apache-2.0

import AnoleTargeting
import Testing

@Suite("Pattern engine")
struct PatternEngineTests {
  @Test("tells its name and version")
  func description() {
    #if os(Linux)
      #expect(PatternEngine.description.contains(/^PCRE2 10\.\d+/))
    #else
      #expect(PatternEngine.description == "ICU (Foundation)")
    #endif
  }
}
