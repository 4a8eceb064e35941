// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleEmulator
import AnoleEvaluation
import AnoleModels
import AnoleNetworking
import AnoleRemoteFlags
import AnoleStorage
import kameleoonClient

/// The first look: what an application sees of a platform, with both inside the program.
struct Quickstart {
  /// A visitor of the shop.
  struct Guest: Sendable {
    let code: String
    /// What is said about them.
    let about: String
    /// Custom data by index.
    let data: [kameleoonClient.CustomData]
  }

  /// What a visitor gets.
  struct Answer: Sendable {
    let guest: Guest
    let decision: FlagDecision
  }

  /// What the server received of a conversion.
  struct Arrival: Sendable {
    let status: Int?
    let bytes: Int
    let encoding: String?
    let lines: [String]
    let findings: [String]
  }

  /// A change that came by the event stream.
  struct Change: Sendable {
    let before: String
    let after: String
    let milliseconds: Int64
  }

  static let flag = "checkout"
  static let guests = [
    Guest(code: "anna", about: "nothing is known", data: []),
    Guest(code: "ben", about: "falls into the holdout", data: []),
    Guest(
      code: "dora", about: "has the plan gold",
      data: [kameleoonClient.CustomData(id: 1, values: "gold")]),
  ]
  static let goal = 77
  static let revenue = 12.5
  static let remoteKey = "new_checkout"

  let address: String
  let answers: [Answer]
  let explanation: DecisionTrace
  let arrival: Arrival
  let change: Change
  let remoteFlag: RemoteFlag

  /// Does everything that is shown; when it returns nothing of it runs any more.
  init(in environment: Environment) async throws(Failure) {
    let (emulator, address, port) = try Emulator.inside(
      serving: Array(ShopDataFile.text.utf8), in: environment)
    defer { emulator.stop() }
    let desk = ClientDesk(
      ClientDesk.Place(
        siteCode: "quickstart-\(port)", endpoint: EndpointAddress(port: port)), in: environment)
    var clients: [any AnoleClient] = []
    do throws(Failure) {
      for guest in Self.guests { clients.append(try await desk.readyClient(guest.code)) }
      answers = try Self.ask(clients)
      guard let client = clients.first, let trace = answers.first?.decision.trace else {
        throw .data("the client gave no explanation")
      }
      explanation = trace
      arrival = try await Self.trackConversion(client, emulator)
      change = try await Self.flip(client, emulator, environment)
    } catch {
      for client in clients { await client.close() }
      throw error
    }
    for client in clients { await client.close() }
    remoteFlag = try await Self.readRemoteFlag(address, environment)
    self.address = address
  }

  // MARK: - Steps

  /// Reads the flag as an application does, which reports the exposure, and asks for the reason.
  private static func ask(_ clients: [any AnoleClient]) throws(Failure) -> [Answer] {
    do {
      return try zip(guests, clients).map { guest, client in
        client.addData(guest.data.map { $0 as any KameleoonData })
        _ = try client.getVariation(featureKey: flag)
        return Answer(guest: guest, decision: try client.decision(featureKey: flag))
      }
    } catch {
      throw .data("\(error)")
    }
  }

  private static func trackConversion(
    _ client: any AnoleClient, _ emulator: Emulator
  ) async throws(Failure) -> Arrival {
    client.trackConversion(goalId: goal, revenue: revenue)
    client.flush(instant: true)
    do throws(EmulatorError) {
      // A slow start may have let an interval's report go first.
      var count = 1
      while true {
        let requests = try await emulator.waitForRequests(count: count, route: .tracking)
        if let arrival = requests.lazy.compactMap(Arrival.init).first { return arrival }
        count = requests.count + 1
      }
    } catch {
      throw error.failure
    }
  }

  /// Switches the flag off on the platform, and waits for the news of it.
  private static func flip(
    _ client: any AnoleClient, _ emulator: Emulator, _ environment: Environment
  ) async throws(Failure) -> Change {
    let before = words(client)
    let (updates, continuation) = AsyncStream.makeStream(of: Void.self)
    client.updateConfigurationHandler { continuation.yield() }
    do throws(EmulatorError) {
      try await emulator.waitForOpenStreams(count: 1)
    } catch {
      throw error.failure
    }
    let time = TimeSource(environment.clock)
    let start = time.now
    do throws(FlagEditError) {
      try emulator.setFlag(flag, isEnabled: false)
    } catch {
      throw .data("\(error)")
    }
    var iterator = updates.makeAsyncIterator()
    guard await iterator.next() != nil else { throw .interrupted }
    let span = time.now - start
    return Change(
      before: before, after: words(client), milliseconds: span.wholeMilliseconds)
  }

  private static func words(_ client: any AnoleClient) -> String {
    do {
      return try client.decision(featureKey: flag).variation.key
    } catch KameleoonError.Feature.environmentDisabled {
      return "nothing: the flag is switched off"
    } catch {
      return "nothing: \(error)"
    }
  }

  private static func readRemoteFlag(
    _ address: String, _ environment: Environment
  ) async throws(Failure) -> RemoteFlag {
    let transport = CurlTransport(CurlTransport.Configuration(proxy: .none))
    var configuration = RemoteFlagsConfiguration(
      applicationCode: "DEMO0-DEMO0",
      store: InMemoryStorage(wallClock: environment.wallClock), transport: transport)
    configuration.userID = guests[0].code
    configuration.baseURL = "\(address)/json/1.3/"
    configuration.time = TimeSource(environment.clock)
    configuration.wallClock = environment.wallClock
    configuration.callbackExecutor = SerialCallbackExecutor(label: "demo-cli.remote")
    let client = RemoteFlagsClient(configuration)
    let result: Result<RemoteFlag?, RemoteFlagsError>
    do throws(RemoteFlagsError) {
      try await client.refresh()
      result = .success(client.get(remoteKey))
    } catch {
      result = .failure(error)
    }
    await client.shutdown()
    transport.shutdown()
    switch result {
    case .success(let flag?): return flag
    case .success(nil): throw .data("the server knows no flag \(Printable.quote(remoteKey))")
    case .failure(let error): throw Task.isCancelled ? Failure.interrupted : .network(error.message)
    }
  }
}

extension Quickstart.Arrival {
  /// What arrived, if a conversion is in it.
  fileprivate init?(_ request: RecordedRequest) {
    guard let report = request.tracking,
      report.events.contains(where: { $0.eventType == "conversion" })
    else { return nil }
    self.init(
      status: request.status, bytes: request.body.count,
      encoding: request.header("Content-Encoding"), lines: report.events.map(\.line),
      findings: report.findings.map(\.description))
  }
}

extension EmulatorError {
  /// As a failure of the program.
  fileprivate var failure: Failure { code == .cancelled ? .interrupted : .network(description) }
}
