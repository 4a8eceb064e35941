// SPDX-License-Identifier: Apache-2.0

import AnoleEmulator
import AnoleNetworking
import AnoleStorage
import AnoleTargeting

/// The libraries that the program has loaded.
enum LibraryChecks {
  static var all: [Check] {
    let libraries = NetworkingLibraries.loaded
    return [
      .ok("program", "\(Program.name) \(Program.version), built with Swift \(swift)"),
      curl(libraries),
      .ok("zlib", libraries.zlib),
      .ok("SQLite", SQLiteStorage.libraryVersion),
      .ok("patterns", PatternEngine.description),
      .ok(
        "libmicrohttpd",
        Emulator.libraryVersion + (Emulator.isTLSAvailable ? ", with TLS" : ", without TLS")),
    ]
  }

  private static func curl(_ libraries: NetworkingLibraries) -> Check {
    guard let version = libraries.curl else { return .ok("network", "URLSession") }
    guard let tls = libraries.tls else {
      return .problem(
        "libcurl", "\(version), without TLS",
        next: "install a libcurl that speaks https, such as libcurl4-openssl-dev")
    }
    return .ok("libcurl", "\(version), \(tls)" + (libraries.hasHTTP2 ? ", HTTP/2" : ""))
  }

  /// The version of the compiler; a program does not know that of the loaded runtime.
  private static var swift: String {
    #if compiler(>=6.4)
      "6.4 or newer"
    #elseif compiler(>=6.3)
      "6.3"
    #else
      "6.2"
    #endif
  }
}
