// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)

  /// Decides which transfers may have a connection, and in which order the others get one.
  ///
  /// A pure value. libcurl has a queue of its own for this, but that of version 7.88 now and then forgets
  /// a transfer for good when many end at once (78 of 200,000 requests, sent by the hundred over 4 connections).
  ///
  /// The first transfer to a host that may speak HTTP/2 goes alone until its connection stands: only then
  /// is it known whether the others can share it. libcurl would open a connection for each of them.
  struct ConnectionShare<ID: Hashable> {
    private struct Use {
      /// How many transfers have a connection, or make one.
      var busy = 0
      /// The only transfer, as long as it is not known what its connection speaks.
      var pioneer: ID?
    }

    private let limitPerHost: Int
    private let limit: Int
    private var uses: [String: Use] = [:]
    private var total = 0
    private var waiting: [(id: ID, host: String, mayShare: Bool)] = []

    init(limitPerHost: Int, limit: Int) {
      self.limitPerHost = limitPerHost
      self.limit = limit
    }

    /// Asks for a connection.
    ///
    /// - Parameter mayShare: True if one connection to the host may serve several transfers at once.
    /// - Returns: True if the transfer may start; otherwise it waits until another call names it.
    mutating func enter(_ id: ID, host: String, mayShare: Bool) -> Bool {
      guard take(host, for: id, mayShare: mayShare) else {
        waiting.append((id, host, mayShare))
        return false
      }
      return true
    }

    /// Notes that the connection of a transfer stands.
    ///
    /// - Returns: The transfers that may start now, with their hosts; the longest waiting first.
    mutating func connected(_ id: ID, host: String) -> [(id: ID, host: String)] {
      guard uses[host]?.pioneer == id else { return [] }
      uses[host]?.pioneer = nil
      return admit()
    }

    /// Gives a connection back.
    ///
    /// - Returns: The transfers that may start now, with their hosts; the longest waiting first.
    mutating func leave(_ id: ID, host: String) -> [(id: ID, host: String)] {
      guard var use = uses[host] else { return [] }
      use.busy -= 1
      if use.pioneer == id { use.pioneer = nil }
      uses[host] = use.busy > 0 ? use : nil
      total -= 1
      return admit()
    }

    /// Forgets a transfer that waits.
    mutating func abandon(_ id: ID) {
      waiting.removeAll { $0.id == id }
    }

    private mutating func admit() -> [(id: ID, host: String)] {
      var admitted: [(id: ID, host: String)] = []
      while total < limit, let index = waiting.firstIndex(where: { isFree($0.host) }) {
        let next = waiting.remove(at: index)
        _ = take(next.host, for: next.id, mayShare: next.mayShare)
        admitted.append((next.id, next.host))
      }
      return admitted
    }

    private func isFree(_ host: String) -> Bool {
      guard let use = uses[host] else { return true }
      return use.busy < limitPerHost && use.pioneer == nil
    }

    private mutating func take(_ host: String, for id: ID, mayShare: Bool) -> Bool {
      guard total < limit, isFree(host) else { return false }
      var use = uses[host] ?? Use()
      if use.busy == 0, mayShare { use.pioneer = id }
      use.busy += 1
      uses[host] = use
      total += 1
      return true
    }
  }

#endif
