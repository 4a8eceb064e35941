// SPDX-License-Identifier: Apache-2.0

import AnoleNetworking
import Testing

@Suite("Libraries")
struct LibrariesTests {
  @Test("tell their versions, and libcurl speaks TLS")
  func versions() {
    let libraries = NetworkingLibraries.loaded
    #expect(libraries.zlib.contains(/^1\.\d/))
    #if !canImport(Darwin)
      #expect(libraries.curl?.contains(/^[78]\.\d+\.\d+/) == true)
      #expect(libraries.tls?.contains("/") == true)
      #expect(libraries.caFile != nil || libraries.caFolder != nil)
    #endif
    #expect(libraries == NetworkingLibraries.loaded)
  }
}
