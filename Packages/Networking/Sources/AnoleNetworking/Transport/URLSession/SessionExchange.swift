// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)

  import AnoleConcurrency
  import Foundation

  /// A request on its way through redirects to its answer.
  final class SessionExchange: Sendable {
    private struct State {
      var plan: RedirectPlan
      var task: URLSessionTask?
      var timer: Task<Void, Never>?
      var size = 0
      var isEnded = false
    }

    let pipe = BodyPipe()
    private let request: HTTPRequest
    private let state: Lock<State>

    init(_ request: HTTPRequest, _ plan: RedirectPlan) {
      self.request = request
      state = Lock(State(plan: plan))
    }

    var outgoing: OutgoingRequest { state.withLock { $0.plan.current } }

    /// Takes the task of a hop; false if the request has ended, so that the task must not run.
    func attach(_ task: URLSessionTask) -> Bool {
      state.withLock { state in
        guard !state.isEnded else { return false }
        state.task = task
        return true
      }
    }

    /// Starts the limit of the attempt.
    func startTimer() {
      guard let limit = request.timeout else { return }
      let timer = Task { [weak self] in
        do { try await ContinuousClock().sleep(for: limit) } catch { return }
        self?.fail(HTTPError(code: .timedOut, message: "the time limit of the attempt has passed"))
      }
      let isLate = state.withLock { state in
        state.timer = timer
        return state.isEnded
      }
      if isLate { timer.cancel() }
    }

    /// Asks the rules whether another hop follows.
    func step(status: Int, headers: HTTPHeaders) throws(HTTPError) -> RedirectPlan.Step {
      try state.withLock { state throws(HTTPError) in
        try state.plan.receive(status: status, headers: headers)
      }
    }

    /// Takes a piece of the body, and stops the task when the pipe is full.
    func receive(_ piece: Data) {
      let (isTooLarge, task) = state.withLock { state -> (Bool, URLSessionTask?) in
        state.size += piece.count
        return (state.size > request.maximumBodySize, state.task)
      }
      guard !isTooLarge else {
        let message = "the body is larger than \(request.maximumBodySize) bytes"
        return fail(HTTPError(code: .bodyTooLarge, message: message))
      }
      piece.withUnsafeBytes { pipe.receive($0) }
      if !pipe.hasRoom() { task?.suspend() }
    }

    func resume() {
      state.withLock { $0.task }?.resume()
    }

    func fail(_ error: HTTPError) {
      finish(.failure(error))
    }

    func finish(_ end: Result<Void, HTTPError>) {
      let (task, timer) = state.withLock { state -> (URLSessionTask?, Task<Void, Never>?) in
        defer { (state.task, state.timer, state.isEnded) = (nil, nil, true) }
        return (state.task, state.timer)
      }
      timer?.cancel()
      task?.cancel()
      pipe.finish(end)
    }
  }

#endif
