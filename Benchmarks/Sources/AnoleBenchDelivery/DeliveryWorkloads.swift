// SPDX-License-Identifier: Apache-2.0

public import AnoleBenchCore
import AnoleConcurrency
import AnoleNetworking
import AnoleStorage
import AnoleTracking
import Dispatch

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The workloads with compression, disk and network.
public struct DeliveryWorkloads: Sendable {
  /// The names of the workloads.
  public static let names = ["W6", "W8", "W10"]

  private let options: Options

  /// Prepares the workload of the options; nothing is read yet.
  public init(_ options: Options) { self.options = options }

  /// Runs the workload.
  ///
  /// - Throws: a sentence if the inputs are missing, or disk or server fail.
  public func run() throws(BenchmarkError) -> [Measurement] {
    switch options.workload {
    case "W6": try encodeAndCompress()
    case "W8": try durableQueue()
    case "W10": try upload()
    default: throw BenchmarkError("unknown workload \(options.workload)")
    }
  }

  // MARK: - W6

  private func encodeAndCompress() throws(BenchmarkError) -> [Measurement] {
    let events = try Events(folder: options.data)
    var generator = SplitMix64(state: 0x5EED)
    var lines = events.encode(&generator)
    let encoding = try options.samplePasses { () throws(BenchmarkError) in
      let start = System.seconds()
      lines = events.encode(&generator)
      return (System.seconds() - start) / Double(events.count) * 1e9
    }
    let body = lines.bytes
    var compressed = 0
    let compressing = try options.samplePasses { () throws(BenchmarkError) in
      let start = System.seconds()
      compressed = try Self.gzip(body).count
      return (System.seconds() - start) / Double(events.count) * 1e9
    }
    return [
      Measurement(
        metric: "encode", unit: "ns/event", samples: encoding,
        check: "\(lines.byteCount) bytes, \(lines.count) lines"),
      Measurement(
        metric: "gzip6", unit: "ns/event", samples: compressing, check: "\(compressed)"),
    ]
  }

  private static func gzip(_ bytes: [UInt8]) throws(BenchmarkError) -> [UInt8] {
    do throws(GzipError) {
      return try Gzip.compress(bytes)
    } catch {
      throw BenchmarkError("gzip: \(error)")
    }
  }

  // MARK: - W8

  private func durableQueue() throws(BenchmarkError) -> [Measurement] {
    var measurements: [Measurement] = []
    for (name, durability) in [("full", SQLiteStorage.Durability.full), ("normal", .normal)] {
      for batch in [1, 100] {
        measurements.append(
          try durableQueue("sqlite-wal-\(name)-\(batch)", durability, batch: batch))
      }
    }
    return measurements
  }

  /// Events a second, each sample on a store of its own under $BENCH_TMP.
  private func durableQueue(
    _ metric: String, _ durability: SQLiteStorage.Durability, batch: Int
  ) throws(BenchmarkError) -> Measurement {
    let item = OutboxItem(body: [UInt8](repeating: UInt8(ascii: "x"), count: 112), acceptedAt: 0)
    let items = [OutboxItem](repeating: item, count: batch)
    var rows = 0
    var samples: [Double] = []
    for round in 0..<options.rounds {
      let folder = System.temporaryPath("\(round)")
      var configuration = SQLiteStorage.Configuration(folder: folder)
      configuration.durability = durability
      configuration.limits = StorageLimits(
        outboxCount: 10_000_000, outboxBytes: 1 << 31, outboxAge: .seconds(1 << 40))
      configuration.largestFile = 1 << 31
      configuration.wallClock = WallClock { 0 }
      let storage = SQLiteStorage(configuration)
      rows = 0
      let start = System.seconds()
      var elapsed = 0.0
      repeat {
        guard storage.append(items) == .durable else {
          throw BenchmarkError("\(folder): events were not stored durably")
        }
        rows += batch
        elapsed = System.seconds() - start
      } while elapsed < options.seconds * 2 && rows < 400_000
      samples.append(Double(rows) / elapsed)
      storage.close()
      try System.remove(folder)
    }
    return Measurement(
      metric: metric, unit: "events/s", samples: samples, check: "\(rows) rows")
  }

  // MARK: - W10

  private func upload() throws(BenchmarkError) -> [Measurement] {
    let events = try Events(folder: options.data)
    var generator = SplitMix64(state: 0x5EED)
    let body = events.encode(&generator).bytes
    let transport = CurlTransport()
    var request = HTTPRequest(
      method: .post, url: options.url, body: [UInt8](repeating: UInt8(ascii: "a"), count: 100_000))
    var status = 0
    let nanoseconds = try options.sample { (_) throws(BenchmarkError) in
      status = try Self.send(request, transport)
    }
    request.headers["Content-Encoding"] = "gzip"
    let uploads = try options.samplePasses { () throws(BenchmarkError) in
      let start = System.seconds()
      request.body = try Self.gzip(body)
      status = try Self.send(request, transport)
      return Double(events.count) / (System.seconds() - start)
    }
    return [
      Measurement(
        metric: "post-100000", unit: "requests/s", samples: nanoseconds.map { 1e9 / $0 },
        check: "\(status)"),
      Measurement(metric: "upload", unit: "events/s", samples: uploads, check: "\(status)"),
    ]
  }

  /// Sends a request and waits for its answer.
  private static func send(
    _ request: HTTPRequest, _ transport: CurlTransport
  ) throws(BenchmarkError) -> Int {
    let answer = Answer()
    transport.send(request, executor: DirectExecutor()) { answer.put($0) }
    do throws(HTTPError) {
      return try answer.wait().status
    } catch {
      throw BenchmarkError("\(request.url): \(error)")
    }
  }
}

/// Runs callbacks where they are made.
private struct DirectExecutor: CallbackExecutor {
  func execute(_ work: @escaping @Sendable () -> Void) { work() }
}

/// Waits for one answer.
private final class Answer: Sendable {
  private let result = Lock<Result<HTTPResponse, HTTPError>?>(nil)
  private let arrival = DispatchSemaphore(value: 0)

  func put(_ result: Result<HTTPResponse, HTTPError>) {
    self.result.withLock { $0 = result }
    arrival.signal()
  }

  func wait() throws(HTTPError) -> HTTPResponse {
    arrival.wait()
    let missing = HTTPError(code: .other, message: "no answer")
    return try (result.withLock { $0 } ?? .failure(missing)).get()
  }
}
