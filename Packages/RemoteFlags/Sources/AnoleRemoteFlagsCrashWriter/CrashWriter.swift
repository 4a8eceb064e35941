// SPDX-License-Identifier: Apache-2.0

// A process for the tests of AnoleRemoteFlags: it refreshes without end and is meant to be killed. It
// prints the revision of a set only after the refresh that brought it has ended.
//
//     AnoleRemoteFlagsCrashWriter FOLDER TEMPLATE
//
// The template is a flag as a server writes it, with INDEX, REVISION and FILLING where these belong.

import AnoleConcurrency
import AnoleNetworking
import AnoleRemoteFlags
import AnoleStorage

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

@main
struct CrashWriter {
  static func main() async {
    guard CommandLine.arguments.count == 3 else { exit(64) }
    var storage = SQLiteStorage.Configuration(folder: CommandLine.arguments[1])
    storage.durability = .normal
    storage.report = { say("report \($0)") }
    let server = Revisions(template: CommandLine.arguments[2])
    var configuration = RemoteFlagsConfiguration(
      applicationCode: "A1B2C-D3E4F", store: SQLiteStorage(storage), transport: server)
    configuration.deviceID = "6E1B5F3C-2D4A-4E0F-9B7A-0C1D2E3F4A5B"
    configuration.disablesThrottle = true
    let client = RemoteFlagsClient(configuration)
    let stored = client.flags.first.map { Int($0.number(forProperty: "revision", default: 0)) }
    server.start(after: stored ?? 0)
    while true {
      do throws(RemoteFlagsError) {
        try await client.refresh()
      } catch {
        say("failed \(error)")
        return
      }
      let flag = client.flags.first
      say("\(flag.map { Int($0.number(forProperty: "revision", default: 0)) } ?? 0)")
    }
  }

  static func say(_ line: String) {
    var line = line + "\n"
    // A reader that has gone ends the process by a signal, which is what a test wants.
    _ = line.withUTF8 { write(1, $0.baseAddress, $0.count) }
  }
}

/// A server whose every answer is the next revision, in all flags of a set at once.
final class Revisions: HTTPTransport {
  private let revision = Lock(0)
  private let template: String

  init(template: String) {
    self.template = template
  }

  func start(after number: Int) {
    revision.withLock { $0 = number }
  }

  func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
    throw HTTPError(code: .other, message: "streams only")
  }

  func open(_ request: HTTPRequest) async throws(HTTPError) -> HTTPStream {
    let number = revision.withLock { revision in
      revision += 1
      return revision
    }
    let filling = String(repeating: "x", count: number * 37 % 500)
    let flags = (0..<20 + number % 7).map { index in
      template.replacing("INDEX", with: "\(index)").replacing("REVISION", with: "\(number)")
        .replacing("FILLING", with: filling)
    }
    let list = flags.joined(separator: ",")
    let text = #"{"status_code":200,"response":{"flags":[\#(list)]}}"#
    let body = AsyncThrowingStream<[UInt8], any Error> { continuation in
      continuation.yield(Array(text.utf8))
      continuation.finish()
    }
    return HTTPStream(status: 200, headers: [:], body: body)
  }
}
