// SPDX-License-Identifier: Apache-2.0

import AnoleBenchCore
import AnoleBenchInputs
import AnoleEvaluation
import AnoleModels
import AnoleNetworking
import AnoleTargeting
@_spi(AnoleConformance) import kameleoonClient

/// The client brings Foundation, which has a `Measurement` too.
typealias Measurement = AnoleBenchCore.Measurement

/// W1 to W3 and W5 through `getVariation`, and C1.
struct ClientWorkloads {
  let options: Options

  func run() async throws(BenchmarkError) -> [Measurement] {
    KameleoonLogger.logLevel = .none
    return switch options.workload {
    case "W1": [try await oneFlag("w1", visitorCount: 1_000, hasData: false)]
    case "W2": [try await oneFlag("w2", visitorCount: 64, hasData: true)]
    case "W2R": [try await oneFlag("w2r", visitorCount: 64, hasData: true)]
    case "W3": [try await allFlags()]
    case "W5": [try await distinctVisitors()]
    case "C1": try await start()
    default: []
    }
  }

  // MARK: - Workloads

  private func oneFlag(
    _ key: String, visitorCount: Int, hasData: Bool
  ) async throws(BenchmarkError) -> Measurement {
    let bench = WireBench()
    let file = try text("small.json")
    let data = hasData ? try visitorData() : []
    var clients: [any AnoleClient] = []
    for code in try visitors().prefix(visitorCount) {
      let client = try client(bench, code, file)
      WireBench.add(data, isTracked: false, to: client)
      clients.append(client)
    }
    var active = 0
    for client in clients where try variation(key, client).key != "off" { active += 1 }
    let samples =
      options.threads == 1
      ? try sample(key, clients)
      : try Threads.sample(options.threads) { () throws(BenchmarkError) in
        try sample(key, clients)
      }
    await close(clients)
    return Measurement(metric: "eval", unit: "ns/op", samples: samples, check: "\(active)")
  }

  private func sample(
    _ key: String, _ clients: [any AnoleClient]
  ) throws(BenchmarkError) -> [Double] {
    var sum = 0
    let samples = try options.sample { (index) throws(BenchmarkError) in
      sum &+= try variation(key, clients[index % clients.count]).key.utf8.count
    }
    guard sum > 0 else { throw BenchmarkError("nothing was evaluated") }
    return samples
  }

  private func allFlags() async throws(BenchmarkError) -> Measurement {
    let bench = WireBench()
    let client = try client(bench, try visitorCode(), try text("df500.json"))
    WireBench.add(try visitorData(), isTracked: false, to: client)
    let active = try variations(client).values.filter { $0.key != "off" }.count
    var sum = 0
    let samples = try options.sample { (_) throws(BenchmarkError) in
      sum &+= try variations(client).count
    }
    guard sum > 0 else { throw BenchmarkError("nothing was evaluated") }
    await close([client])
    return Measurement(metric: "all_flags", unit: "ns/op", samples: samples, check: "\(active)")
  }

  /// Clients are made before the clock starts: what is measured is what a visitor's first evaluation costs.
  private func distinctVisitors() async throws(BenchmarkError) -> Measurement {
    let file = try text("small.json")
    let codes = try visitors()
    var counts: [String: Int] = [:]
    var samples: [Double] = []
    for round in 0...options.rounds {
      let bench = WireBench()
      var clients: [any AnoleClient] = []
      for code in codes { clients.append(try client(bench, code, file)) }
      counts = [:]
      let start = System.seconds()
      for client in clients {
        counts[try variation("w5", client, track: true).key, default: 0] += 1
      }
      let elapsed = System.seconds() - start
      if round > 0 { samples.append(elapsed / Double(codes.count) * 1e9) }
      await close(clients)
    }
    let check = ["off", "on", "v2"].map { "\($0) \(counts[$0] ?? 0)" }.joined(separator: " ")
    return Measurement(
      metric: "distinct_visitors", unit: "ns/op", samples: samples, check: check)
  }

  /// From `create` to the first variation, with the file stored by an earlier process; beside it what the
  /// evaluator alone takes for the same bytes, in turn on the same thread; both with fresh memory, as in a
  /// process that has just started.
  private func start() async throws(BenchmarkError) -> [Measurement] {
    let folder = System.temporaryPath("client")
    let bytes = try System.read("\(options.data)/df1m.json")
    let key = try lastFlag("df1m.json")
    let code = try visitorCode()
    try await storeFile(String(decoding: bytes, as: UTF8.self), in: folder)
    var variationKey = ""
    var starts: [Double] = []
    var evaluations: [Double] = []
    for round in 0...options.rounds {
      System.returnFreeMemory()
      let evaluation = try evaluateAlone(bytes, key, code)
      let bench = WireBench()
      System.returnFreeMemory()
      let start = System.seconds()
      let client = try client(bench, code, nil, .folder(folder))
      variationKey = try variation(key, client).key
      let elapsed = System.seconds() - start
      await close([client])
      guard round > 0 else { continue }
      starts.append(elapsed * 1e3)
      evaluations.append(evaluation * 1e3)
    }
    try System.remove(folder)
    return [
      Measurement(
        metric: "create_to_first_eval", unit: "ms", samples: starts, check: variationKey),
      Measurement(
        metric: "evaluator_alone", unit: "ms", samples: evaluations, check: variationKey),
    ]
  }

  /// Seconds from the bytes to the first decision, without a client.
  private func evaluateAlone(
    _ bytes: [UInt8], _ key: String, _ code: String
  ) throws(BenchmarkError) -> Double {
    let now = Timestamp(milliseconds: System.wallMilliseconds())
    let record = VisitorRecord(visitStart: now)
    let start = System.seconds()
    do {
      let snapshot = Snapshot(try DataFile(parsing: bytes), sdk: SDKIdentity(version: "4.27.2"))
      let decision = try snapshot.decide(
        key, visitorCode: code, record: record, at: Moment(now: now))
      let elapsed = System.seconds() - start
      guard !decision.variationKey.isEmpty else { throw BenchmarkError("nothing was decided") }
      return elapsed
    } catch {
      throw BenchmarkError("\(error)")
    }
  }

  /// Lets a client fetch and store the data file.
  private func storeFile(_ file: String, in folder: String) async throws(BenchmarkError) {
    // It keeps the engines, which end with their clients.
    let bench = WireBench()
    let client = try client(
      bench, try visitorCode(), nil, .folder(folder), OneAnswer(body: Array(file.utf8)))
    do {
      try await client.runWhenReady(timeoutMilliseconds: 30_000)
    } catch {
      throw BenchmarkError("the data file did not arrive: \(error)")
    }
    await client.close()
    guard bench.engineCount == 0 else { throw BenchmarkError("the engine did not end") }
  }

  // MARK: - Clients

  private func client(
    _ bench: WireBench, _ code: String, _ file: String?,
    _ store: ClientOptions.Store = .memory, _ transport: any HTTPTransport = NoNetwork()
  ) throws(BenchmarkError) -> any AnoleClient {
    let options = ClientOptions(store: store, transport: transport)
    do {
      return try bench.client(
        siteCode: "benchmark1", visitorCode: code,
        config: KameleoonClientConfig(defaultDataFile: file), options: options)
    } catch {
      throw BenchmarkError("\(error)")
    }
  }

  private func close(_ clients: [any AnoleClient]) async {
    for client in clients { await client.close() }
  }

  @inline(__always)
  private func variation(
    _ key: String, _ client: any AnoleClient, track: Bool = false
  ) throws(BenchmarkError) -> Types.Variation {
    do {
      return try client.getVariation(featureKey: key, track: track)
    } catch {
      throw BenchmarkError("\(error)")
    }
  }

  @inline(__always)
  private func variations(
    _ client: any AnoleClient
  ) throws(BenchmarkError) -> [String: Types.Variation] {
    do {
      return try client.getVariations(onlyActive: false, track: false)
    } catch {
      throw BenchmarkError("\(error)")
    }
  }

  // MARK: - Inputs

  private func text(_ name: String) throws(BenchmarkError) -> String {
    String(decoding: try System.read("\(options.data)/\(name)"), as: UTF8.self)
  }

  private func visitors() throws(BenchmarkError) -> [String] {
    try text("visitors.txt").split(separator: "\n").map(String.init)
  }

  private func lastFlag(_ name: String) throws(BenchmarkError) -> String {
    let file: DataFile
    let bytes = try System.read("\(options.data)/\(name)")
    do throws(DataFileError) {
      file = try DataFile(parsing: bytes)
    } catch {
      throw BenchmarkError("\(name): \(error)")
    }
    guard let key = file.featureFlags.last?.key else { throw BenchmarkError("\(name): no flags") }
    return key
  }

  private func visitorCode() throws(BenchmarkError) -> String {
    try VisitorInput(folder: options.data).code
  }

  private func visitorData() throws(BenchmarkError) -> [VisitorDatum] {
    try VisitorInput(folder: options.data).data
  }
}

/// No server answers: what is measured needs none.
private struct NoNetwork: HTTPTransport {
  func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
    throw HTTPError(code: .connectFailed, message: "the benchmark has no network")
  }

  func open(_ request: HTTPRequest) async throws(HTTPError) -> HTTPStream {
    throw HTTPError(code: .connectFailed, message: "the benchmark has no network")
  }
}

/// Every request gets one answer.
private struct OneAnswer: HTTPTransport {
  let body: [UInt8]

  func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
    HTTPResponse(
      status: 200, headers: ["Content-Type": "application/json", "Last-Modified": "once"],
      body: body)
  }

  func open(_ request: HTTPRequest) async throws(HTTPError) -> HTTPStream {
    throw HTTPError(code: .connectFailed, message: "the benchmark has no event stream")
  }
}
