// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleConcurrencyTesting
import AnoleModels
import AnoleNetworking
import AnoleRemoteFlags
import Foundation

@testable import PushwooshCore

/// Answers calls by their method, and notes them.
final class Platform: HTTPTransport {
  struct Call: Sendable {
    let request: HTTPRequest
    let body: JSONValue
    var method: String { request.url.split(separator: "/").last.map(String.init) ?? "" }
  }

  private let calls = Lock<[Call]>([])
  private let answer: Lock<(status: Int, flags: String)>

  init(_ flags: String = "") {
    answer = Lock((200, flags))
  }

  var all: [Call] { calls.withLock { $0 } }
  var methods: [String] { all.map(\.method) }

  func answer(_ status: Int = 200, _ flags: String = "") {
    answer.withLock { $0 = (status, flags) }
  }

  func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
    throw HTTPError(code: .other, message: "streams only")
  }

  func open(_ request: HTTPRequest) async throws(HTTPError) -> HTTPStream {
    let root = try? JSONValue(parsing: request.body ?? [])
    calls.withLock { $0.append(Call(request: request, body: root?["request"] ?? .null)) }
    let (status, flags) = answer.withLock { $0 }
    let text = #"{"status_code":200,"response":{"flags":[\#(flags)]}}"#
    return HTTPStream(
      status: status, headers: [:],
      body: AsyncThrowingStream { continuation in
        continuation.yield(Array(text.utf8))
        continuation.finish()
      })
  }
}

/// A process of its own: a runtime with a platform, a folder and settings.
final class PushwooshRig {
  let platform: Platform
  let clock = ManualClock()
  let reports = Reports()
  let runtime = PushwooshRuntime()
  let folder: String
  private let variables: [String: String]

  final class Reports: Sendable {
    private let list = Lock<[RemoteFlagsReport]>([])
    var all: [RemoteFlagsReport] { list.withLock { $0 } }
    func add(_ report: RemoteFlagsReport) { list.withLock { $0.append(report) } }
  }

  init(
    _ flags: String = "", _ variables: [String: String] = [:],
    _ adjust: (inout PushwooshHost) -> Void = { _ in }
  ) {
    platform = Platform(flags)
    self.variables = variables
    folder =
      FileManager.default.temporaryDirectory
      .appendingPathComponent("anole-pushwoosh-\(UUID().uuidString)").path
    var host = PushwooshHost()
    host.transport = platform
    host.stateFolder = folder
    host.time = TimeSource(clock)
    host.environment = { variables[$0] }
    host.lifecycle = HostLifecycle()
    let reports = reports
    host.report = { reports.add($0) }
    adjust(&host)
    runtime.setHost(host)
  }

  deinit {
    // A folder that cannot be removed harms no other test.
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// Asks for the flags; the error that the completion got.
  @discardableResult
  func refresh() async -> NSError? {
    await withCheckedContinuation { continuation in
      runtime.featureFlags.refresh { continuation.resume(returning: $0 as NSError?) }
    }
  }

  func write(_ name: String, _ text: String) throws -> String {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let path = folder + "/" + name
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    return path
  }
}
