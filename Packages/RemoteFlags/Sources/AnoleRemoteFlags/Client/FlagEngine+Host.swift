// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleModels
import AnoleNetworking
import AnoleStorage

extension FlagEngine {
  /// - Parameter completion: Called on the executor when the server knows the user, or with why not.
  func setUser(_ text: String, _ completion: (@Sendable (RemoteFlagsError?) -> Void)?) {
    let trimmed = text.trimmingWhiteSpace()
    var isNew = false
    if !trimmed.isEmpty {
      step { shared, now in
        guard let actions = shared.plan.setUser(ExactText(trimmed), now) else { return [] }
        isNew = true
        return actions
      }
      // Also for a change that another thread makes: it is done when this call returns.
      line.advance(to: shared.withLock { $0.plan.subject })
    }
    if isNew {
      registerUser(trimmed, completion)
    } else if let completion {
      executor.execute { completion(nil) }
    }
  }

  func setApplication(_ code: String?) {
    let code = code.flatMap { code -> ExactText? in
      if ServerAddress.isApplicationCode(code) { return ExactText(code) }
      report(EngineStart.unusableCode)
      return nil
    }
    while true {
      let subject = shared.withLock { $0.plan.subject }
      // Read before the change, so that no lock of readers or of the plan is held meanwhile.
      let record = code.flatMap { store.read(namespace: StoreRecords.sets, key: $0.text) }
      let address = code.flatMap { store.read(namespace: StoreRecords.addresses, key: $0.text) }
      var isDone = false
      step { shared, now in
        guard shared.plan.subject == subject else { return [] }
        isDone = true
        shared.server.toldBase = code.flatMap { code in
          shared.server.configuredBase(code.text).flatMap {
            StoreRecords.address(in: address, configured: $0)
          }
        }
        let stored = code.flatMap {
          StoreRecords.flags(in: record, application: $0, user: subject.user, now)
        }
        let actions = shared.plan.setApplication(code, stored: stored, now) ?? []
        return actions + updateConditions(&shared, now)
      }
      if isDone { break }
    }
    payRegistration()
  }

  // MARK: Host

  func setServer(_ change: (inout ServerSettings) -> Void) {
    var names: [String] = []
    step { shared, now in
      change(&shared.server)
      names = shared.server.unusableHeaders
      return updateConditions(&shared, now)
    }
    if !names.isEmpty { report(EngineStart.unusableHeaders(names)) }
  }

  func setCommunication(_ isAllowed: Bool) {
    step { shared, now in
      var conditions = shared.plan.conditions
      conditions.allowsCommunication = isAllowed
      return shared.plan.update(conditions, now)
    }
    payRegistration()
  }

  /// Tells the server the user, if that could not be done when it was due.
  func payRegistration() {
    let user = shared.withLock { shared -> String? in
      guard shared.owesRegistration, shared.canCall else { return nil }
      shared.owesRegistration = false
      return shared.plan.subject.user.text
    }
    if let user { registerUser(user, nil) }
  }

  func becameActive() {
    step { shared, now in
      let session = shared.plan.session
      let actions = shared.plan.becomeActive(now)
      if shared.plan.session != session { shared.impressions.startSession() }
      return actions
    }
  }

  func wentToBackground() {
    step { shared, now in
      shared.plan.enterBackground(now)
      return []
    }
  }

  func registeredForPush() {
    step { shared, now in shared.plan.registerForPush(now) }
  }

  // MARK: End

  /// Ends everything; waits for nothing.
  func close() {
    step { shared, now in
      var conditions = shared.plan.conditions
      conditions.isClosed = true
      return shared.plan.update(conditions, now)
    }
    changes.end()
    tasks.cancelAll()
  }

  /// Ends everything and returns when no task is left.
  func shutdown() async {
    close()
    await tasks.drain()
  }
}
