// SPDX-License-Identifier: Apache-2.0

import AnoleNetworkingTesting
import Foundation

#if canImport(Glibc)
  import Glibc
#endif

/// Why a browser could not be used.
struct BrowserError: Error, CustomStringConvertible {
  let description: String
}

/// A running `chromedriver`, and with it its browsers.
///
/// A shell watches over it: it reads from a socket whose other end this process holds. When that closes, be it
/// because the test has ended or has crashed, the driver goes, the browser with it (they are tied by a pipe
/// too), and their folder.
final class Driver: Sendable {
  private static let script = #"""
    folder=$1
    shift
    TMPDIR=$folder HOME=$folder XDG_CONFIG_HOME=$folder XDG_CACHE_HOME=$folder "$@" --port=0 </dev/null &
    driver=$!
    cat >/dev/null
    kill -KILL "$driver"
    wait "$driver"
    # The browser ends by itself then, and may write a last file meanwhile.
    for try in 1 2 3 4 5 6 7 8 9 10; do
      rm -rf "$folder" 2>/dev/null
      sleep 0.1
      [ -e "$folder" ] || break
    done
    """#

  /// The address for WebDriver's commands.
  let address: String
  private let process: Process
  private let life: FileHandle

  /// The browser and its driver; nil where they are not installed.
  static let programs: (browser: String, driver: String)? = {
    guard let browser = find("chromium"), let driver = find("chromedriver") else { return nil }
    return (browser, driver)
  }()

  private static func find(_ name: String) -> String? {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    return path.split(separator: ":").map { "\($0)/\(name)" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  /// Starts the driver on a free port.
  static func start(_ program: String) async throws -> Driver {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("anole-browser-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", script, "sh", folder.path, program]
    // The browser and the emulator are on this computer: no proxy is asked.
    process.environment = ProcessInfo.processInfo.environment
      .filter { !$0.key.lowercased().hasSuffix("_proxy") }
    let (near, far) = try sockets()
    process.standardInput = far
    process.standardOutput = far
    process.standardError = FileHandle.nullDevice
    try process.run()
    try far.close()
    let found = try await onThread { () throws -> Int? in try Self.port(in: near) }
    guard let port = found else {
      try near.close()
      throw BrowserError(description: "\(program) does not start")
    }
    return Driver(address: "http://127.0.0.1:\(port)", process: process, life: near)
  }

  /// The two ends of a socket; unlike those of a pipe they are never, not for a moment, inherited by the
  /// programs that other tests start.
  private static func sockets() throws -> (near: FileHandle, far: FileHandle) {
    var ends: [Int32] = [-1, -1]
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, type, 0, &ends) == 0 else {
      throw BrowserError(description: "there is no socket for the driver")
    }
    return (
      FileHandle(fileDescriptor: ends[0], closeOnDealloc: true),
      FileHandle(fileDescriptor: ends[1], closeOnDealloc: true)
    )
  }

  /// Reads what the driver says until it names its port; nil if it ends before.
  private static func port(in output: FileHandle) throws -> Int? {
    var text = ""
    while let piece = try output.read(upToCount: 1), !piece.isEmpty {
      text += String(decoding: piece, as: UTF8.self)
      guard text.hasSuffix(".\n") else { continue }
      if let match = text.firstMatch(of: /successfully on port ([0-9]+)/) { return Int(match.1) }
    }
    return nil
  }

  private init(address: String, process: Process, life: FileHandle) {
    self.address = address
    self.process = process
    self.life = life
  }

  /// Ends the driver; returns when it, its browsers and their files are gone.
  func stop() async throws {
    try life.close()
    let process = process
    try await onThread { process.waitUntilExit() }
  }
}
