// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleNetworking
import AnoleStorage
import AnoleStorageTesting
import Testing

@testable import AnoleRemoteFlags

@Suite("User switch under load")
struct UserSwitchTests {
  /// Answers each user with a flag that names him, in an order that has nothing to do with that of the
  /// requests, and also when nobody waits any more.
  private final class LateServer: HTTPTransport {
    private struct State {
      var generator = SplitMix64(seed: 7)
      var held: [CheckedContinuation<Void, Never>] = []
      var answerCount = 0
      var flagCallCount = 0
    }

    private let state = Lock(State())

    var answerCount: Int { state.withLock { $0.answerCount } }
    var flagCallCount: Int { state.withLock { $0.flagCallCount } }

    func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
      throw HTTPError(code: .other, message: "streams only")
    }

    func open(_ request: HTTPRequest) async throws(HTTPError) -> HTTPStream {
      let call = ScriptedServer.Call(request)
      await withCheckedContinuation { continuation in
        // Some wait until later ones let them go.
        let released = state.withLock { state -> [CheckedContinuation<Void, Never>] in
          state.held.append(continuation)
          if call.isForFlags { state.flagCallCount += 1 }
          state.held.shuffle(using: &state.generator)
          let count = Int.random(in: 0...min(4, state.held.count), using: &state.generator)
          defer { state.held.removeLast(count) }
          return state.held.suffix(count)
        }
        for one in released { one.resume() }
      }
      state.withLock { $0.answerCount += 1 }
      let reply: ScriptedServer.Reply =
        call.isForFlags ? .flags(TestFlag("owner", #"{"user":"\#(call.user)"}"#)) : .done
      guard case .answer(let status, let body, _) = reply else {
        throw HTTPError(code: .other, message: "no answer")
      }
      return HTTPStream(
        status: status, headers: [:],
        body: AsyncThrowingStream { continuation in
          continuation.yield(body)
          continuation.finish()
        })
    }

    func releaseAll() {
      let held = state.withLock { state in
        defer { state.held = [] }
        return state.held
      }
      for one in held { one.resume() }
    }
  }

  private final class Progress: Sendable {
    /// The number of the last switch whose call has returned: older users may not be read after that.
    let switched = Lock(0)
    let isDone = Lock(false)
  }

  @Test("8 tasks read during 1,000 switches with late answers: no value of a former user is read")
  func switches() async throws {
    let folder = try TemporaryFolder(isInMemory: true)
    let server = LateServer()
    var configuration = RemoteFlagsConfiguration(
      applicationCode: "A1B2C-D3E4F", store: try DiskStore(folder), transport: server)
    configuration.userID = "0"
    configuration.deviceID = Rig.device
    configuration.callbackExecutor = SerialCallbackExecutor(label: "callbacks")
    let client = RemoteFlagsClient(configuration)
    let rounds = 1_000
    let progress = Progress()
    let reads = await withTaskGroup(of: Int.self) { group in
      for _ in 0..<8 {
        group.addTask {
          var seen = 0
          while !progress.isDone.withLock({ $0 }) {
            let floor = progress.switched.withLock { $0 }
            let user = client.get("owner")?.string(forProperty: "user", default: nil)
            if let user {
              seen += 1
              guard let number = Int(user.dropFirst()), number >= floor else {
                Issue.record("read \(user) after switch \(floor)")
                return seen
              }
            }
            await Task.yield()
          }
          return seen
        }
      }
      group.addTask {
        for round in 1...rounds {
          client.setUserID("u\(round)")
          let isForeign =
            client.get("owner") != nil
            && client.get("owner")?.string(forProperty: "user", default: nil) != "u\(round)"
          if isForeign { Issue.record("the former user's flag after switch \(round)") }
          progress.switched.withLock { $0 = round }
          // Its request is under way when the next switch makes it obsolete.
          while server.flagCallCount < round { await Task.yield() }
        }
        progress.isDone.withLock { $0 = true }
        return 0
      }
      return await group.reduce(0, +)
    }
    while client.engine.tasks.all.count > 0 {
      server.releaseAll()
      await Task.yield()
    }
    #expect(client.userID == "u\(rounds)")
    #expect(client.get("owner")?.string(forProperty: "user", default: nil) == "u\(rounds)")
    #expect(server.answerCount >= rounds)
    #expect(reads > 0)
    // What is stored is of the last user.
    var next = RemoteFlagsConfiguration(
      applicationCode: "A1B2C-D3E4F", store: try DiskStore(folder), transport: server)
    next.deviceID = Rig.device
    let restarted = RemoteFlagsClient(next)
    #expect(restarted.userID == "u\(rounds)")
    #expect(restarted.get("owner")?.string(forProperty: "user", default: nil) == "u\(rounds)")
  }

  @Test("two users in turn: a late answer for the same name is not taken for the new one")
  func turns() async {
    let rig = Rig(ScriptedServer { $0.isForFlags ? .held : .done })
    rig.client.setUserID("a")
    await rig.settle()
    for round in 0..<50 {
      rig.client.setUserID(round % 2 == 0 ? "b" : "a")
      await rig.settle()
      // Two requests are out, every other one of them for the same name as the next.
      #expect(rig.server.heldCount == 2)
      rig.client.setUserID(round % 2 == 0 ? "a" : "b")
      await rig.settle()
      while rig.server.heldCount > 1 { rig.server.release(.flags(TestFlag("late"))) }
      await rig.settle()
      #expect(rig.client.flags.isEmpty && rig.stored == nil, "round \(round)")
      rig.client.setUserID(round % 2 == 0 ? "b" : "a")
      await rig.settle()
      rig.server.release(.flags(TestFlag("late")))
      await rig.settle()
      #expect(rig.client.flags.isEmpty && rig.stored == nil, "round \(round)")
    }
    rig.server.release(.flags(TestFlag("a")))
    await rig.settle()
    #expect(rig.client.flags.map(\.key) == ["a"])
  }
}
