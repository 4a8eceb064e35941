// SPDX-License-Identifier: Apache-2.0

import AnoleEmulator
import Testing

@Suite("Library")
struct LibraryTests {
  @Test("tells its version, and that it speaks TLS")
  func version() {
    #expect(Emulator.libraryVersion.contains(/^\d+\.\d+\.\d+/))
    #expect(Emulator.isTLSAvailable)
  }
}
