// SPDX-License-Identifier: Apache-2.0

extension Emulator {
  /// The requests that have arrived, oldest first.
  ///
  /// The newest 20,000 are kept, fewer if their bodies are larger than 256 MB together.
  /// - Parameters:
  ///   - route: Only those to this route; nil for all.
  ///   - sequence: Only those with a greater sequence number.
  public func requests(_ route: Route? = nil, after sequence: Int = 0) -> [RecordedRequest] {
    core.change { $0.journal.requests(route, after: sequence) }
  }

  /// The events of all accepted tracking requests that are still in the journal, oldest first; of
  /// several with the same nonce only the first, as the platform does it.
  public var acceptedEvents: [TrackedEvent] {
    var nonces: Set<String> = []
    return requests(.tracking)
      .filter { $0.status.map { (200...299).contains($0) } ?? false }
      .flatMap { $0.tracking?.events ?? [] }
      .filter { event in event.nonce.map { nonces.insert($0).inserted } ?? true }
  }

  /// Waits until so many requests have arrived since the journal was last cleared; without polling.
  ///
  /// A request has arrived when it is complete, or was broken off.
  /// - Parameters:
  ///   - count: How many.
  ///   - route: Only those to this route count; nil for all.
  /// - Returns: The requests of the route that have arrived, which may be more.
  /// - Throws: ``EmulatorError`` when the task is cancelled or the emulator does not run any more.
  @discardableResult
  public func waitForRequests(
    count: Int, route: Route? = nil
  ) async throws(EmulatorError) -> [RecordedRequest] {
    try await core.wait(until: .requests(count, route))
    return requests(route)
  }

  /// Waits until a request has arrived that has a greater sequence number; without polling.
  ///
  /// Unlike ``waitForRequests(count:route:)`` it does not mind that the journal is cleared meanwhile, or
  /// forgets its oldest requests.
  /// - Parameter sequence: That of the last request which is known; 0 for none.
  /// - Returns: The requests after it that the journal still has, oldest first.
  /// - Throws: ``EmulatorError`` when the task is cancelled or the emulator does not run any more.
  public func waitForRequests(
    after sequence: Int
  ) async throws(EmulatorError) -> [RecordedRequest] {
    try await core.wait(until: .requestsAfter(sequence))
    return requests(after: sequence)
  }

  /// Waits until exactly so many streams are open.
  ///
  /// - Throws: ``EmulatorError`` when the task is cancelled or the emulator does not run any more.
  public func waitForOpenStreams(count: Int) async throws(EmulatorError) {
    try await core.wait(until: .streams(count))
  }

  /// Waits until exactly so many requests are kept waiting by a delay or for ever.
  ///
  /// With 0 it waits until the clients have closed their connections or got their answers.
  /// - Throws: ``EmulatorError`` when the task is cancelled or the emulator does not run any more.
  public func waitForHeldRequests(count: Int) async throws(EmulatorError) {
    try await core.wait(until: .held(count))
  }

  /// Forgets the requests that have arrived; sequence numbers go on.
  public func clearJournal() { core.change { $0.journal.clear() } }
}
