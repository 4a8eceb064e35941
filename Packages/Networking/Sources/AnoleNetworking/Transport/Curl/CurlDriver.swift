// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)

  /// The transfers of one loop.
  ///
  /// Made, used and released on the loop's thread; nothing else sees it.
  final class CurlDriver {
    let settings: CurlSettings
    private let multi: CurlMulti
    private var transfers: [ObjectIdentifier: CurlTransfer] = [:]
    private var spare: [CurlEasy] = []
    private var share: ConnectionShare<ObjectIdentifier>
    /// Transfers that waited and may start.
    private var admitted: [CurlTransfer] = []
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
      guard earliest != .max else { return multi.poll(milliseconds: .max) }
      let now = MonotonicTime.now
      guard earliest > now else { return true }
      let milliseconds = (earliest - now + 999_999) / 1_000_000
      return multi.poll(milliseconds: Int32(clamping: milliseconds))
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
      if let error = transfer.error(for: outcome) { return fail(transfer, error) }
      do {
        switch try transfer.nextStep() {
        case .final:
          release(transfer)
          transfer.succeed()
        case .send:
          recycle(transfer)
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
      release(transfer)
      transfer.ticket.fail(error)
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
      let host = transfer.plan.current.address.origin
      guard share.enter(ObjectIdentifier(transfer.ticket), host: host) else { return }
      transfer.host = host
      launch(transfer)
    }

    private func leave(_ transfer: CurlTransfer) {
      guard let host = transfer.host else {
        return share.abandon(ObjectIdentifier(transfer.ticket))
      }
      transfer.host = nil
      for next in share.leave(host) {
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
