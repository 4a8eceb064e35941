// SPDX-License-Identifier: Apache-2.0

import AnoleModels
import Testing

@Suite("Exact texts")
struct ExactTextTests {
  @Test("two spellings of one letter are two keys, equal bytes are one")
  func bytes() {
    let composed = "\u{E9}t\u{E9}"
    let decomposed = "e\u{301}te\u{301}"
    #expect(composed == decomposed)
    #expect(ExactText(composed) != ExactText(decomposed))
    #expect(ExactText(composed) == ExactText(String(decoding: Array(composed.utf8), as: UTF8.self)))
    let keys: Set = [ExactText(composed), ExactText(decomposed), ExactText(""), ExactText("\0")]
    #expect(keys.count == 4)
    #expect(keys.contains(ExactText("\u{E9}t\u{E9}")))
    #expect(ExactText(composed).text.utf8.elementsEqual(composed.utf8))
  }
}
