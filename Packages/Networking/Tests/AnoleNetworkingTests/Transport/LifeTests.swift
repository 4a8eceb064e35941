// SPDX-License-Identifier: Apache-2.0

import AnoleNetworkingTesting
import Glibc
import Testing

@testable import AnoleNetworking

@Suite("Transport: life", .timeLimit(.minutes(2)))
struct LifeTests {
  @Test("shutting down ends what is under way, and whatever comes later")
  func shutdownWhileBusy() async throws {
    let sending = Gate()
    try await withServer(probe: StageProbe(at: .reading) { sending.open() }) { connection in
      connection.readRequest()
      connection.write("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc")
      connection.waitForClose()
    } _: { server, transport in
      let calls = CallCounter()
      let tasks = (0..<10).map { _ in
        Task { await transport.failure(of: HTTPRequest(url: server.url(), timeout: nil)) }
      }
      for _ in 0..<10 {
        transport.send(HTTPRequest(url: server.url(), timeout: nil), executor: AtOnce()) {
          calls.add($0)
        }
      }
      await sending.waitUntilOpen()
      transport.shutdown()
      // The thread has ended: all completions have run.
      #expect(calls.codes == Array(repeating: .cancelled, count: 10))
      for task in tasks { #expect(await task.value?.code == .cancelled) }
      transport.shutdown()
      #expect(await transport.failure(of: HTTPRequest(url: server.url()))?.code == .cancelled)
    }
  }

  @Test("shutting down an unused transport does nothing")
  func shutdownUnused() async {
    let transport = CurlTransport(.direct)
    transport.shutdown()
    transport.shutdown()
    let error = await transport.failure(of: HTTPRequest(url: "http://127.0.0.1:1/"))
    #expect(error?.code == .cancelled)
  }

  @Test("the last reference may die on the transport's own thread, and shut it down there")
  func lastReferenceOnLoop() async throws {
    let server = try #require(
      LoopbackServer { connection in connection.serve { _ in connection.answer(text: "ok") } })
    defer { server.stop() }
    for round in 0..<20 {
      let result = await withCheckedContinuation { continuation in
        let transport = CurlTransport(.direct)
        transport.send(HTTPRequest(url: server.url()), executor: AtOnce()) { result in
          if round % 2 == 0 { transport.shutdown() }
          continuation.resume(returning: result)
        }
      }
      let text = try result.get().text
      #expect(text == "ok")
    }
  }

  @Test("a request in the closure form outlives the reference to its transport")
  func outlivesReference() async throws {
    let answer = Gate()
    let server = try #require(
      LoopbackServer { connection in
        connection.readRequest()
        answer.blockUntilOpen()
        connection.answer(text: "kept")
      })
    defer { server.stop() }
    let result = await withCheckedContinuation { continuation in
      CurlTransport(.direct).send(HTTPRequest(url: server.url()), executor: AtOnce()) {
        continuation.resume(returning: $0)
      }
      answer.open()
    }
    let text = try result.get().text
    #expect(text == "kept")
  }

  @Test("16 threads make transports at once and use them")
  func manyAtOnce() async throws {
    let server = try #require(
      LoopbackServer { connection in connection.serve { _ in connection.answer(text: "ok") } })
    defer { server.stop() }
    let url = server.url()
    let start = Gate()
    let calls = CallCounter()
    let done = (0..<16).map { _ in Gate() }
    for gate in done {
      BlockingThread.start {
        start.blockUntilOpen()
        let transport = CurlTransport(.direct)
        transport.send(HTTPRequest(url: url), executor: AtOnce()) {
          calls.add($0)
          gate.open()
        }
      }
    }
    start.open()
    for gate in done { await gate.waitUntilOpen() }
    #expect(calls.codes == Array(repeating: nil, count: 16))
  }

  @Test("no signal handler of the process changes, and the loop's thread blocks SIGPIPE alone")
  func signals() async throws {
    let numbers: [Int32] = [SIGPIPE, SIGALRM, SIGINT, SIGTERM, SIGHUP, SIGCHLD, SIGUSR1, SIGIO]
    func handlers() -> [UInt] {
      numbers.map { number in
        var action = sigaction()
        sigaction(number, nil, &action)
        return unsafeBitCast(action.__sigaction_handler, to: UInt.self)
      }
    }
    let before = handlers()
    let isBlocked = Progress()
    let probe = StageProbe(at: .sending) {
      var mask = sigset_t()
      pthread_sigmask(SIG_SETMASK, nil, &mask)
      isBlocked.record(Int(sigismember(&mask, SIGPIPE)))
    }
    try await withServer(probe: probe) { connection in
      // Closed while the client writes: what would raise SIGPIPE.
      _ = connection.read()
    } _: { server, transport in
      let error = await transport.failure(
        of: HTTPRequest(method: .post, url: server.url(), body: .init(repeating: 1, count: 8 << 20))
      )
      #expect(error?.code == .connectionLost)
      #expect(isBlocked.sent == 1)
      #expect(handlers() == before)
    }
  }
}
