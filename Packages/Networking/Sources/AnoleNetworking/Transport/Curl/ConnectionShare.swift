// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)

  /// Decides which transfers may have a connection, and in which order the others get one.
  ///
  /// A pure value. libcurl has a queue of its own for this, but that of version 7.88 now and then forgets
  /// a transfer for good when many end at once (78 of 200,000 requests, sent by the hundred over 4 connections).
  struct ConnectionShare<ID: Hashable> {
    private let limitPerHost: Int
    private let limit: Int
    private var busy: [String: Int] = [:]
    private var total = 0
    private var waiting: [(id: ID, host: String)] = []

    init(limitPerHost: Int, limit: Int) {
      self.limitPerHost = limitPerHost
      self.limit = limit
    }

    /// Asks for a connection.
    ///
    /// - Returns: True if the transfer may start; otherwise it waits until ``leave(_:)`` names it.
    mutating func enter(_ id: ID, host: String) -> Bool {
      guard take(host) else {
        waiting.append((id, host))
        return false
      }
      return true
    }

    /// Gives a connection back.
    ///
    /// - Returns: The transfers that may start now, with their hosts; the longest waiting first.
    mutating func leave(_ host: String) -> [(id: ID, host: String)] {
      let count = (busy[host] ?? 0) - 1
      busy[host] = count > 0 ? count : nil
      total -= 1
      var admitted: [(id: ID, host: String)] = []
      while total < limit, let index = waiting.firstIndex(where: { isFree($0.host) }) {
        let next = waiting.remove(at: index)
        _ = take(next.host)
        admitted.append(next)
      }
      return admitted
    }

    /// Forgets a transfer that waits.
    mutating func abandon(_ id: ID) {
      waiting.removeAll { $0.id == id }
    }

    private func isFree(_ host: String) -> Bool {
      busy[host, default: 0] < limitPerHost
    }

    private mutating func take(_ host: String) -> Bool {
      guard total < limit, isFree(host) else { return false }
      busy[host, default: 0] += 1
      total += 1
      return true
    }
  }

#endif
