// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)

  import AnoleConcurrency
  import CAnoleCurl
  import Glibc

  /// The thread that owns libcurl's handles, and the inbox through which others talk to it.
  ///
  /// The thread starts with the first request. It waits in `curl_multi_poll` and wakes for sockets, time
  /// limits and commands; without transfers only a command wakes it. No code of the host runs on it, unless
  /// the executor of a completion is one that runs at once.
  final class CurlLoop: Sendable {
    private enum Command: Sendable {
      case start(TransferTicket, owner: any AnyObject & Sendable)
      case cancel(TransferTicket)
      case resume(TransferTicket)
    }

    private enum Phase {
      /// No request yet. Next: `running`, or `closed`.
      case idle
      /// The thread takes commands. Next: `closed`.
      case running(pthread_t)
      /// No command is taken any more; the thread, if there was one, ends.
      case closed
    }

    private struct Inbox {
      var phase = Phase.idle
      var commands: [Command] = []
      /// Present while the thread may wait.
      var waker: CurlWaker?
      /// True from the moment at which the thread decides to wait until it was woken.
      var isWaiting = false

      /// Adds a command.
      ///
      /// Waking is a write of one byte that never waits; it is done under the lock so that the
      /// handle behind the waker cannot be freed meanwhile.
      mutating func append(_ command: Command) {
        commands.append(command)
        guard isWaiting else { return }
        isWaiting = false
        waker?.wake()
      }
    }

    private enum Refusal {
      case closed
      case noThread
    }

    private let settings: CurlSettings
    private let inbox = Lock(Inbox())

    init(_ settings: CurlSettings) {
      self.settings = settings
    }

    // MARK: From any thread

    /// Sends a request.
    ///
    /// Its receiver is told the end exactly once, whatever happens.
    ///
    /// - Parameter owner: Kept alive until then.
    func start(_ ticket: TransferTicket, owner: any AnyObject & Sendable) {
      let refusal = inbox.withLock { inbox -> Refusal? in
        switch inbox.phase {
        case .closed: return .closed
        case .running: break
        case .idle:
          guard let thread = launch() else { return .noThread }
          inbox.phase = .running(thread)
        }
        inbox.append(.start(ticket, owner: owner))
        return nil
      }
      switch refusal {
      case nil: break
      case .closed: ticket.fail(.transportShutDown)
      case .noThread: ticket.fail(HTTPError(code: .other, message: "no thread could be started"))
      }
    }

    func cancel(_ ticket: TransferTicket) {
      ticket.markCancelled()
      post(.cancel(ticket))
    }

    func resume(_ ticket: TransferTicket) {
      post(.resume(ticket))
    }

    /// Fails all requests and ends the thread.
    ///
    /// - Parameter waits: True to return only when the thread has ended. On that thread itself it does not.
    func close(waits: Bool) {
      let thread = inbox.withLock { inbox -> pthread_t? in
        defer { inbox.phase = .closed }
        guard case .running(let thread) = inbox.phase else { return nil }
        inbox.waker?.wake()
        return thread
      }
      guard let thread else { return }
      if waits, pthread_equal(thread, pthread_self()) == 0 {
        pthread_join(thread, nil)
      } else {
        pthread_detach(thread)
      }
    }

    private func post(_ command: Command) {
      inbox.withLock { inbox in
        if case .running = inbox.phase { inbox.append(command) }
      }
    }

    // MARK: The thread

    private func launch() -> pthread_t? {
      var thread = pthread_t()
      let this = Unmanaged.passRetained(self)
      let status = pthread_create(
        &thread, nil,
        { context in
          guard let context else { return nil }
          CurlLoop.blockSignals()
          anole_curl_name_thread("anole-curl")
          Unmanaged<CurlLoop>.fromOpaque(context).takeRetainedValue().run()
          return nil
        }, this.toOpaque())
      guard status == 0 else {
        this.release()
        return nil
      }
      return thread
    }

    /// Leaves all signals to the host's threads, SIGPIPE above all, but for those that mean a fault
    /// of this thread and the one that profilers use.
    ///
    /// The host's handlers are not touched.
    private static func blockSignals() {
      var signals = sigset_t()
      sigfillset(&signals)
      for fault in [SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS, SIGPROF] {
        sigdelset(&signals, fault)
      }
      pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    private func run() {
      guard let driver = CurlDriver(settings) else {
        return end(nil, HTTPError(code: .other, message: "libcurl could not be initialised"))
      }
      inbox.withLock { $0.waker = driver.waker }
      while let commands = take() {
        for command in commands { perform(command, with: driver) }
        driver.turn()
        if mayWait(), !driver.wait() {
          // Only for want of memory; do not turn a shortage into a busy loop.
          poll(nil, 0, 10)
        }
      }
      end(driver, .transportShutDown)
    }

    private func perform(_ command: Command, with driver: CurlDriver) {
      switch command {
      case .start(let ticket, let owner): driver.start(ticket, owner: owner)
      case .cancel(let ticket): driver.cancel(ticket)
      case .resume(let ticket): driver.resume(ticket)
      }
    }

    /// The commands since the last call; nil when the loop must end.
    private func take() -> [Command]? {
      inbox.withLock { inbox in
        inbox.isWaiting = false
        if case .closed = inbox.phase { return nil }
        defer { inbox.commands.removeAll(keepingCapacity: false) }
        return inbox.commands
      }
    }

    /// False if there are commands to do first: then nobody needs to wake the thread.
    private func mayWait() -> Bool {
      inbox.withLock { inbox in
        inbox.isWaiting = inbox.commands.isEmpty
        return inbox.isWaiting
      }
    }

    private func end(_ driver: CurlDriver?, _ error: HTTPError) {
      let (commands, orphan) = inbox.withLock { inbox -> ([Command], pthread_t?) in
        defer { (inbox.phase, inbox.commands, inbox.waker) = (.closed, [], nil) }
        // Nobody else will, if the loop ends by itself.
        if case .running(let thread) = inbox.phase { return (inbox.commands, thread) }
        return (inbox.commands, nil)
      }
      if let orphan { pthread_detach(orphan) }
      driver?.failAll(error)
      for case .start(let ticket, _) in commands { ticket.fail(error) }
    }
  }

#endif
