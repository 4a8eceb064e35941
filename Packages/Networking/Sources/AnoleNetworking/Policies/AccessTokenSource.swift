// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency

/// Hands out access tokens; keeps one in memory and renews it.
///
/// - One fetch at a time; requests that need its result share it.
/// - A token is given up 60 s before its end, and renewed in the background from 1,800 s before.
/// - After a failed fetch there is none for 300 s.
///
/// Any thread may call.
public final class AccessTokenSource: Sendable {
  /// Why a token fetch failed, for a log line.
  public enum Failure: Error, Sendable, Hashable, CustomStringConvertible {
    /// The server refused.
    case refused(status: Int)
    /// The answer holds no token.
    case unreadable
    /// No answer.
    case failed(HTTPError)

    /// A sentence for a log line.
    public var description: String {
      let reason =
        switch self {
        case .refused(let status): "status \(status); check client id and secret"
        case .unreadable: "the answer holds no token"
        case .failed(let error): "\(error)"
        }
      return "no access token: \(reason); requests go without for five minutes"
    }
  }

  /// A request that waits for the fetch.
  private enum Waiter: Sendable {
    /// It will wait in a moment. Next: `waiting`, `answered`.
    case expected
    /// It waits. Next: resumed and gone.
    case waiting(CheckedContinuation<String?, Never>)
    /// The fetch was faster. Next: gone.
    case answered(String?)
  }

  private struct State: Sendable {
    var plan = TokenPlan()
    var waiters: [Int: Waiter] = [:]
    var nextWaiter = 0
    var fetch: Task<Void, Never>?
    var isShutDown = false

    mutating func expectWaiter() -> Int {
      defer { nextWaiter += 1 }
      waiters[nextWaiter] = .expected
      return nextWaiter
    }

    /// Answers a waiter; the continuation is to be resumed outside the lock.
    mutating func answer(_ id: Int, _ token: String?) -> CheckedContinuation<String?, Never>? {
      guard case .waiting(let continuation) = waiters[id] else {
        if waiters[id] != nil { waiters[id] = .answered(token) }
        return nil
      }
      waiters[id] = nil
      return continuation
    }
  }

  private enum Way: Sendable {
    case now(String?)
    case wait(Int)
  }

  private let state = Lock(State())
  private let transport: any HTTPTransport
  private let time: TimeSource
  private let makeRequest: @Sendable (Duration?) -> HTTPRequest
  private let report: @Sendable (Failure) -> Void

  /// Makes a source without a token.
  ///
  /// - Parameters:
  ///   - transport: Sends the token requests.
  ///   - clock: Measures the life of tokens; it should also advance while the system sleeps.
  ///   - report: Is told of failed fetches, on an arbitrary thread.
  ///   - request: Builds the request, with the time limit of the request that needs the token.
  public init(
    transport: any HTTPTransport, clock: some Clock<Duration> = ContinuousClock(),
    report: @escaping @Sendable (Failure) -> Void = { _ in },
    request: @escaping @Sendable (_ timeout: Duration?) -> HTTPRequest
  ) {
    self.transport = transport
    time = TimeSource(clock)
    self.report = report
    makeRequest = request
  }

  /// A token for a request.
  ///
  /// - Parameter timeout: How long the request may wait for a fetch; nil for as long as it takes.
  /// - Returns: Nil if the request is to go out without a token. Cancelling gives nil too.
  public func token(timeout: Duration?) async -> String? {
    switch way(timeout) {
    case .now(let token): return token
    case .wait(let id): return await wait(id, timeout)
    }
  }

  /// Gives up a token that a server has answered with 401, if it is still the one in use.
  public func discard(_ token: String) {
    state.withLock { $0.plan.reject(token) }
  }

  /// Cancels a fetch under way and waits for its end; from then on there are no tokens.
  public func shutdown() async {
    let fetch = state.withLock { state in
      state.isShutDown = true
      return state.fetch
    }
    fetch?.cancel()
    await fetch?.value
  }

  // MARK: - Fetching

  /// Decides, and starts a fetch in the same breath, so that nobody sees a plan that fetches
  /// without a fetch.
  private func way(_ timeout: Duration?) -> Way {
    let now = time.now
    return state.withLock { [self] state -> Way in
      guard !state.isShutDown else { return .now(nil) }
      let decision = state.plan.decide(at: now)
      switch decision {
      case .fetchAndWait, .useAndFetch: state.fetch = Task { await fetch(timeout: timeout) }
      case .use, .wait, .goWithout: break
      }
      switch decision {
      case .use(let token), .useAndFetch(let token): return .now(token)
      case .goWithout: return .now(nil)
      case .wait, .fetchAndWait: return .wait(state.expectWaiter())
      }
    }
  }

  private func fetch(timeout: Duration?) async {
    let result = await answer(to: makeRequest(timeout))
    let isCancelled = Task.isCancelled
    if case .failure(let failure) = result, !isCancelled { report(failure) }
    let token = try? result.get()  // A failure has been reported; nil makes the plan wait.
    let now = time.now
    let waiters = state.withLock { state in
      if isCancelled { state.plan.fetchCancelled() } else { state.plan.fetched(token, at: now) }
      state.fetch = nil
      return Array(state.waiters.keys).compactMap { state.answer($0, token?.value) }
    }
    for waiter in waiters { waiter.resume(returning: token?.value) }
  }

  private func answer(to request: HTTPRequest) async -> Result<AccessToken, Failure> {
    do {
      let response = try await transport.send(request)
      guard StatusRule.successful.accepts(response.status) else {
        return .failure(.refused(status: response.status))
      }
      return AccessToken(answer: response.body).map { .success($0) } ?? .failure(.unreadable)
    } catch {
      return .failure(.failed(error))
    }
  }

  // MARK: - Waiting

  private func wait(_ id: Int, _ timeout: Duration?) async -> String? {
    guard let timeout else { return await waitForFetch(id) }
    return await withTaskGroup(of: String?.self) { group in
      group.addTask { await self.waitForFetch(id) }
      group.addTask { [time] in
        // Cancelled or passed: the wait is over either way.
        try? await time.sleep(for: timeout)
        return nil
      }
      defer { group.cancelAll() }
      return await group.next() ?? nil
    }
  }

  private func waitForFetch(_ id: Int) async -> String? {
    await withTaskCancellationHandler {
      await withCheckedContinuation { add($0, id) }
    } onCancel: {
      state.withLock { $0.answer(id, nil) }?.resume(returning: nil)
    }
  }

  private func add(_ continuation: CheckedContinuation<String?, Never>, _ id: Int) {
    let early = state.withLock { state -> String?? in
      guard case .answered(let token) = state.waiters[id] else {
        state.waiters[id] = .waiting(continuation)
        return nil
      }
      state.waiters[id] = nil
      return .some(token)
    }
    if let early { continuation.resume(returning: early) }
  }
}
