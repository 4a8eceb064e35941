// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)

  /// The transfers of one loop.
  ///
  /// Made, used and released on the loop's thread; nothing else sees it.
  final class CurlDriver {
    /// The shortest and the longest wait while transfers may share a connection, in milliseconds.
    private static let leastPatience: Int32 = 0
    private static let mostPatience: Int32 = 1_000

    let settings: CurlSettings
    private let multi: CurlMulti
    private var transfers: [ObjectIdentifier: CurlTransfer] = [:]
    private var spare: [CurlEasy] = []
    private var share: ConnectionShare<ObjectIdentifier>
    /// Transfers that waited and may start.
    private var admitted: [CurlTransfer] = []
    /// True if a transfer may have read what belongs to another, which has had no turn since.
    private var mayHaveMissed = false
    /// How long the next wait is at most while connections are shared.
    private var patience = CurlDriver.leastPatience
    /// No transfer fails before this moment.
    private var earliest = UInt64.max

    init?(_ settings: CurlSettings) {
      guard CurlLibrary.isReady,
        let multi = CurlMulti(maximumConnections: settings.maximumConnections)
      else { return nil }
      self.settings = settings
      self.multi = multi
      share = ConnectionShare(
        limitPerHost: settings.maximumConnectionsPerHost, limit: settings.maximumConnections)
    }

    var waker: CurlWaker { multi.waker }

    // MARK: Commands

    func start(_ ticket: TransferTicket, owner: AnyObject) {
      guard !ticket.isCancelled else { return ticket.fail(.requestCancelled) }
      let transfer = CurlTransfer(ticket, driver: self, owner: owner)
      transfers[ObjectIdentifier(ticket)] = transfer
      lower(to: transfer.deadline)
      enter(transfer)
    }

    func cancel(_ ticket: TransferTicket) {
      if let transfer = transfers[ObjectIdentifier(ticket)] { fail(transfer, .requestCancelled) }
    }

    func resume(_ ticket: TransferTicket) {
      guard let transfer = transfers[ObjectIdentifier(ticket)] else { return }
      guard let outcome = transfer.easy?.resume() else { return }
      if let error = transfer.error(for: outcome) { fail(transfer, error) }
    }

    func failAll(_ error: HTTPError) {
      for transfer in Array(transfers.values) { fail(transfer, error) }
    }

    /// A transfer may fail at that moment.
    func lower(to deadline: UInt64) {
      earliest = min(earliest, deadline)
    }

    // MARK: One turn of the loop

    /// Moves all transfers on, and ends those that are ready or late.
    func turn() {
      // Commands may have made room.
      launchAdmitted()
      multi.perform()
      while let (easy, outcome) = multi.nextDone() {
        if let transfer = easy.transfer { ended(transfer, outcome) }
      }
      if earliest != .max { expire(now: MonotonicTime.now) }
      launchAdmitted()
    }

    /// Waits until there is something to do.
    ///
    /// Without transfers that is a wake-up only.
    ///
    /// - Returns: False if the system could not wait.
    func wait() -> Bool {
      let patience = patienceNow()
      guard earliest != .max else { return multi.poll(milliseconds: patience) }
      let now = MonotonicTime.now
      guard earliest > now else { return true }
      let milliseconds = (earliest - now + 999_999) / 1_000_000
      return multi.poll(milliseconds: min(patience, Int32(clamping: milliseconds)))
    }

    /// Something has come, gone or begun.
    func noteProgress() {
      patience = Self.leastPatience
    }

    /// How long to wait at most for what libcurl may have forgotten to tell, in milliseconds.
    ///
    /// Over HTTP/2 one transfer reads what arrives for all that share its connection. libcurl 7.88 does not
    /// always see to it that the others get it; they do with the next turn, whatever it was for. So there
    /// is one at once, and later ones at growing intervals, as long as transfers may share a connection, and
    /// a last one for the transfer that remains.
    private func patienceNow() -> Int32 {
      if isSharing {
        mayHaveMissed = true
        defer { patience = min(max(1, patience * 2), Self.mostPatience) }
        return patience
      }
      defer { mayHaveMissed = false }
      return mayHaveMissed ? 0 : .max
    }

    /// True if transfers may share a connection.
    private var isSharing: Bool {
      guard transfers.count > 1 else { return false }
      let secure = transfers.values.lazy.filter { $0.wasSent && $0.plan.current.address.isSecure }
      return Set(secure.map(\.host)).count < secure.count
    }

    private func expire(now: UInt64) {
      guard earliest <= now else { return }
      earliest = .max
      for transfer in Array(transfers.values) {
        if transfer.nextDeadline <= now {
          fail(transfer, transfer.timeoutError(now: now))
        } else {
          lower(to: transfer.nextDeadline)
        }
      }
    }

    // MARK: Ends

    private func ended(_ transfer: CurlTransfer, _ outcome: CurlOutcome) {
      noteProgress()
      if let error = transfer.error(for: outcome) { return fail(transfer, error) }
      do {
        switch try transfer.nextStep() {
        case .final:
          release(transfer)
          transfer.succeed()
        case .send:
          let wasCutShort = transfer.wasCutShort
          recycle(transfer)
          if wasCutShort, let host = transfer.host { flush(host) }
          transfer.beginHop()
          if transfer.host == transfer.plan.current.address.origin { return launch(transfer) }
          leave(transfer)
          enter(transfer)
        }
      } catch {
        fail(transfer, error)
      }
    }

    private func fail(_ transfer: CurlTransfer, _ error: HTTPError) {
      let brokenOff = transfer.wasSent ? transfer.host : nil
      transfer.easy?.endConnection()
      release(transfer)
      transfer.ticket.fail(error)
      if let brokenOff { flush(brokenOff) }
    }

    /// Sends what transfers that were broken off have left in the connections of a host.
    private func flush(_ host: String) {
      // Only connections with TLS are shared.
      for transfer in transfers.values
      where transfer.host == host && transfer.wasSent && transfer.plan.current.address.isSecure {
        transfer.easy?.flush()
      }
    }

    private func release(_ transfer: CurlTransfer) {
      recycle(transfer)
      leave(transfer)
      transfers[ObjectIdentifier(transfer.ticket)] = nil
      if transfers.isEmpty { earliest = .max }
    }

    // MARK: Connections

    /// Starts a hop, or puts it behind others that wait for the host.
    private func enter(_ transfer: CurlTransfer) {
      let address = transfer.plan.current.address
      let host = address.origin
      // HTTP/2 is negotiated within TLS.
      let isAdmitted = share.enter(
        ObjectIdentifier(transfer.ticket), host: host, mayShare: address.isSecure)
      guard isAdmitted else { return }
      transfer.host = host
      launch(transfer)
    }

    private func leave(_ transfer: CurlTransfer) {
      guard let host = transfer.host else {
        return share.abandon(ObjectIdentifier(transfer.ticket))
      }
      transfer.host = nil
      admit(share.leave(ObjectIdentifier(transfer.ticket), host: host))
    }

    /// The connection of a transfer stands; within libcurl, so that nothing is started yet.
    func connected(_ transfer: CurlTransfer) {
      guard let host = transfer.host else { return }
      if isSharing { mayHaveMissed = true }
      admit(share.connected(ObjectIdentifier(transfer.ticket), host: host))
    }

    private func admit(_ batch: [(id: ObjectIdentifier, host: String)]) {
      for next in batch {
        guard let transfer = transfers[next.id] else { continue }
        transfer.host = next.host
        admitted.append(transfer)
      }
    }

    /// Starts what was admitted since the last call, one after another: a start that fails admits others.
    private func launchAdmitted() {
      while !admitted.isEmpty {
        let batch = admitted
        admitted = []
        // Some may have ended meanwhile, or be under way already.
        for transfer in batch where transfer.host != nil && transfer.easy == nil {
          launch(transfer)
        }
      }
    }

    private func launch(_ transfer: CurlTransfer) {
      guard let easy = spare.popLast() ?? CurlEasy(settings) else {
        return fail(transfer, HTTPError(code: .other, message: "libcurl gave no handle"))
      }
      transfer.easy = easy
      easy.transfer = transfer
      guard easy.prepare(transfer.plan.current), multi.add(easy) else {
        return fail(transfer, HTTPError(code: .other, message: "libcurl took no request"))
      }
    }

    private func recycle(_ transfer: CurlTransfer) {
      guard let easy = transfer.easy else { return }
      transfer.easy = nil
      multi.remove(easy)
      easy.transfer = nil
      if spare.count < settings.maximumConnections, easy.reset() { spare.append(easy) }
    }
  }

#endif
