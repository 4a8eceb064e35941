// SPDX-License-Identifier: Apache-2.0

/// The requests that have arrived, oldest first, within limits.
struct Journal: Sendable {
  /// How many requests are kept, enough for the longest test; older ones are forgotten, but counted.
  static let maximumCount = 20_000
  /// How many bytes of bodies are kept, encoded and decoded together.
  static let maximumBytes = 256 << 20

  private var requests: [RecordedRequest] = []
  /// Where the kept ones begin; the front is cut off in large steps, so that adding stays cheap.
  private var start = 0
  private var bytes = 0
  private var counts: [Route: Int] = [:]
  /// The number of the next request; goes on after ``clear()``.
  private(set) var nextSequence = 1

  mutating func append(_ request: RecordedRequest) {
    requests.append(request)
    bytes += Self.size(of: request)
    counts[request.route, default: 0] += 1
    nextSequence += 1
    while start < requests.count - 1,
      requests.count - start > Self.maximumCount || bytes > Self.maximumBytes
    {
      bytes -= Self.size(of: requests[start])
      start += 1
    }
    if start > requests.count / 2 {
      requests.removeFirst(start)
      start = 0
    }
  }

  /// The kept requests of a route (nil: of all), of those after a sequence number.
  func requests(_ route: Route?, after sequence: Int = 0) -> [RecordedRequest] {
    requests[start...].filter {
      $0.sequence > sequence && (route == nil || $0.route == route)
    }
  }

  /// How many requests have arrived since the last clearing.
  func count(_ route: Route?) -> Int {
    if let route { return counts[route, default: 0] }
    return counts.values.reduce(0, +)
  }

  mutating func clear() {
    requests = []
    start = 0
    bytes = 0
    counts = [:]
  }

  private static func size(of request: RecordedRequest) -> Int {
    request.body.count + (request.decodedBody?.count ?? 0)
  }
}
