// SPDX-License-Identifier: Apache-2.0

import AnoleModels
import Foundation
import Testing

@Suite("JSON on a small stack")
struct JSONDepthTests {
  /// Debug builds and sanitizers make frames several times larger, so that only what is shipped
  /// has to fit the smallest usual stack.
  #if DEBUG || THREAD_SANITIZER
    private let stackSize = 4 << 20
  #else
    private let stackSize = 512 << 10
  #endif

  @Test("the deepest document is read, written, compared and released on a thread's stack")
  func deepest() async throws {
    let depth = JSONScanner.maximumDepth
    let size = stackSize
    let isEqual = await withCheckedContinuation { continuation in
      let thread = Thread {
        let text =
          String(repeating: "[{\"a\":", count: depth / 2) + "1"
          + String(repeating: "}]", count: depth / 2)
        let reading = Result {
          let value = try JSONValue(parsing: text)
          let file = try DataFile.read(Array("{\"unknown\":\(text.dropFirst().dropLast())}".utf8))
          return try value == JSONValue(parsing: value.text()) && file.diagnostics.isEmpty
            && Set([value]).contains(value)
        }
        continuation.resume(returning: (try? reading.get()) ?? false)
      }
      thread.stackSize = size
      thread.start()
    }
    #expect(isEqual)
  }
}
