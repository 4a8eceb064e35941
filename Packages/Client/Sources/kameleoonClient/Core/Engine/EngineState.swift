// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleModels

/// What changes in an engine: the data file in force, the clients, the code for clients without one.
///
/// Any thread may call. Clients are told outside of the lock; each takes the newest file only, so that
/// the order in which they are told does not matter.
final class EngineState: Sendable {
  /// What a client reads by.
  struct Project: Sendable {
    /// The data file in force; nil while there is none.
    var snapshot: ProjectSnapshot?
    /// The distance of local time from UTC, in seconds.
    var utcOffset: Int
    /// Grows with every change.
    var revision = 0
  }

  private struct State: Sendable {
    var project: Project
    var clients: [ObjectIdentifier: Client] = [:]
    var visitorCode: String?
  }

  private let state: Lock<State>

  init(utcOffset: Int) {
    state = Lock(State(project: Project(utcOffset: utcOffset)))
  }

  /// The data file in force.
  var snapshot: ProjectSnapshot? { state.withLock { $0.project.snapshot } }

  /// The clients in no particular order.
  var clients: [Client] { state.withLock { Array($0.clients.values) } }

  /// Sets the code for clients that are made without one, as it was stored.
  func setVisitorCode(_ code: String?) {
    state.withLock { $0.visitorCode = code }
  }

  /// The code of a client: the one that is given, else the one in use, else a new one.
  ///
  /// - Returns: the code, which is in use from now on, and whether it was not before.
  func takeVisitorCode(_ given: String?, make: () -> String) -> (code: String, isNew: Bool) {
    state.withLock { state in
      let former = state.visitorCode
      let code = given ?? former ?? make()
      state.visitorCode = code
      return (code, former.map(ExactText.init) != ExactText(code))
    }
  }

  /// Puts a data file in force.
  func publish(_ snapshot: ProjectSnapshot) {
    change { $0.snapshot = snapshot }
  }

  /// Notes the distance of local time from UTC.
  func setUTCOffset(_ offset: Int) {
    guard state.withLock({ $0.project.utcOffset != offset }) else { return }
    change { $0.utcOffset = offset }
  }

  /// Adds a client, which gets the project in force.
  func add(_ client: Client) {
    let project = state.withLock { state in
      state.clients[ObjectIdentifier(client)] = client
      return state.project
    }
    client.use(project)
  }

  /// Removes a client.
  ///
  /// - Returns: whether others are left.
  func remove(_ client: Client) -> Bool {
    state.withLock { state in
      state.clients[ObjectIdentifier(client)] = nil
      return !state.clients.isEmpty
    }
  }

  private func change(_ change: (inout Project) -> Void) {
    let (project, clients) = state.withLock { state in
      change(&state.project)
      state.project.revision += 1
      return (state.project, Array(state.clients.values))
    }
    for client in clients { client.use(project) }
  }
}
