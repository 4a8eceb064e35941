// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleNetworkingTesting
import Testing

@testable import AnoleNetworking

let cancellationStages: [CurlSettings.Stage] = [.resolving, .connecting, .sending, .reading]

/// A task that can be handed to a stage probe before it exists.
private final class TaskSlot: Sendable {
  private let task = Lock<Task<HTTPError?, Never>?>(nil)
  private let isSet = Gate()

  func set(_ task: Task<HTTPError?, Never>) {
    self.task.withLock { $0 = task }
    isSet.open()
  }

  /// On the transport's thread: the test sets the task at once.
  func cancel() {
    isSet.blockUntilOpen()
    task.withLock { $0 }?.cancel()
  }
}

@Suite("Transport: cancellation", .timeLimit(.minutes(2)))
struct CancellationTests {
  @Test("cancelling the task ends the transfer at every stage", arguments: cancellationStages)
  func everyStage(_ stage: CurlSettings.Stage) async throws {
    let slot = TaskSlot()
    let closed = Gate()
    try await withServer(probe: StageProbe(at: stage) { slot.cancel() }) { connection in
      if connection.readRequest() != nil {
        connection.write("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc")
      }
      connection.waitForClose()
      closed.open()
    } _: { server, transport in
      // A name, so that there is something to resolve.
      let url = "http://localhost:\(server.port)/"
      let task = Task { await transport.failure(of: HTTPRequest(url: url, timeout: nil)) }
      slot.set(task)
      let error = await task.value
      #expect(error?.code == .cancelled)
      // Before the connection stands the server may never see it.
      if stage == .sending || stage == .reading { await closed.waitUntilOpen() }
    }
  }

  @Test("a task that is cancelled already sends nothing")
  func beforeStart() async throws {
    try await withServer { connection in
      connection.serve { _ in connection.answer() }
    } _: { server, transport in
      let task = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        return await transport.failure(of: HTTPRequest(url: server.url()))
      }
      let error = await task.value
      #expect(error?.code == .cancelled)
      #expect(server.connectionCount == 0)
    }
  }

  @Test("cancelling while the body of a request is sent ends the transfer")
  func whileSending() async throws {
    let stuck = Gate()
    let cancelled = Gate()
    try await withServer { connection in
      // Some of the body arrives; the rest fills the buffers of the connection.
      _ = connection.read()
      stuck.open()
      cancelled.blockUntilOpen()
      connection.waitForClose()
    } _: { server, transport in
      let body = [UInt8](repeating: 1, count: 32 << 20)
      let task = Task {
        await transport.failure(
          of: HTTPRequest(method: .post, url: server.url(), body: body, timeout: nil))
      }
      await stuck.waitUntilOpen()
      task.cancel()
      let error = await task.value
      cancelled.open()
      #expect(error?.code == .cancelled)
    }
  }

  @Test("a request that waits for a connection can be cancelled; the others go on")
  func whileWaiting() async throws {
    let answer = Gate()
    let sending = Gate()
    var configuration = CurlTransport.Configuration.direct
    configuration.maximumConnectionsPerHost = 1
    try await withServer(
      configuration: configuration, probe: StageProbe(at: .sending) { sending.open() }
    ) { connection in
      connection.serve { _ in
        answer.blockUntilOpen()
        connection.answer(text: "ok")
      }
    } _: { server, transport in
      async let first = transport.send(HTTPRequest(url: server.url("/1")))
      await sending.waitUntilOpen()
      let task = Task { await transport.failure(of: HTTPRequest(url: server.url("/2"))) }
      task.cancel()
      let error = await task.value
      answer.open()
      let text = try await first.text
      #expect(error?.code == .cancelled)
      #expect(text == "ok")
      #expect(server.requests.count == 1)
    }
  }

  @Test("requests and cancellations that race end once each")
  func race() async throws {
    try await withServer { connection in
      connection.serve { _ in connection.answer(text: "ok") }
    } _: { server, transport in
      var ends = 0
      for round in 0..<300 {
        let task = Task { await transport.failure(of: HTTPRequest(url: server.url())) }
        if round % 3 == 0 { await Task.yield() }
        let canceller = Task { task.cancel() }
        let error = await task.value
        await canceller.value
        #expect(error == nil || error?.code == .cancelled)
        ends += 1
      }
      #expect(ends == 300)
    }
  }

  @Test("the closure form reports once, on its executor, also when cancelled again and again")
  func closureForm() async throws {
    let sending = Gate()
    try await withServer(probe: StageProbe(at: .sending) { sending.open() }) { connection in
      connection.serve { request in
        if request.line.contains("/hang") { connection.waitForClose() } else { connection.answer() }
      }
    } _: { server, transport in
      let calls = CallCounter()
      let executor = SerialCallbackExecutor(label: "anole.tests.completions")
      let ok = await withCheckedContinuation { continuation in
        transport.send(HTTPRequest(url: server.url()), executor: executor) {
          continuation.resume(returning: $0)
        }
      }
      let status = try ok.get().status
      #expect(status == 200)
      await sending.waitUntilOpen()
      let done = Gate()
      let handle = transport.send(HTTPRequest(url: server.url("/hang")), executor: executor) {
        calls.add($0)
        done.open()
      }
      for _ in 0..<3 { handle.cancel() }
      await done.waitUntilOpen()
      handle.cancel()
      transport.shutdown()
      handle.cancel()
      #expect(calls.codes == [.cancelled])
    }
  }
}

/// Records the ends of requests.
final class CallCounter: Sendable {
  private let ends = Lock<[HTTPError.Code?]>([])

  /// The codes of the errors; nil for an answer.
  var codes: [HTTPError.Code?] { ends.withLock { $0 } }

  func add(_ result: Result<HTTPResponse, HTTPError>) {
    ends.withLock { ends in
      switch result {
      case .success: ends.append(nil)
      case .failure(let error): ends.append(error.code)
      }
    }
  }
}
