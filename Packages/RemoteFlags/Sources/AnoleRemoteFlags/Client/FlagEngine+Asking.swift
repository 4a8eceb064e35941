// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleModels
import AnoleNetworking
import AnoleStorage

extension FlagEngine {
  func refresh(_ completion: (@Sendable (RemoteFlagsError?) -> Void)?) {
    step { shared, now in
      let waiter = completion.map { shared.add(.completion($0)) }
      return shared.plan.refresh(waiter: waiter, now)
    }
  }

  func refresh() async throws(RemoteFlagsError) {
    // Known before the continuation can be resumed, so that a cancellation finds it.
    let number = Lock<Int?>(nil)
    let error = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let waiter = shared.withLock { $0.add(.task(continuation)) }
        number.withLock { $0 = waiter }
        step { shared, now in shared.plan.refresh(waiter: waiter, now) }
        if Task.isCancelled { abandon(waiter) }
      }
    } onCancel: {
      abandon(number.withLock { $0 })
    }
    if let error { throw error }
  }

  /// Ends the wait of a task that was cancelled; the request goes on.
  private func abandon(_ number: Int?) {
    guard let number else { return }
    let waiter = shared.withLock { shared in
      shared.waiters.removeValue(forKey: number)
    }
    guard case .task(let continuation)? = waiter else { return }
    continuation.resume(returning: .notSent("the task that waited was cancelled"))
  }

  func ask(_ number: Int) async {
    enum Order: Sendable {
      case obsolete
      case refused(RemoteFlagsError)
      case send(url: String, HTTPHeaders, DeviceIdentity, isDirect: Bool)
    }
    let order = shared.withLock { shared -> Order in
      guard shared.plan.flightStart(number) != nil else { return .obsolete }
      if let refusal = shared.plan.refusal { return .refused(refusal) }
      guard let application = shared.plan.subject.application?.text,
        let url = shared.server.flagsURL(application: application, wire)
      else { return .refused(.notSent("there is no address to ask for flags")) }
      let identity = shared.identity(application, user: shared.plan.subject.user.text, fixed)
      return .send(
        url: url, shared.server.headers, identity, isDirect: shared.server.proxy == nil)
    }
    switch order {
    case .obsolete: return
    case .refused(let error): finish(number, .notSent(error))
    case .send(let url, let headers, let identity, let isDirect):
      do {
        let body = try await exchange.send(url, headers: headers, body: wire.body(identity))
        let answer = try wire.decode(body)
        finish(
          number, .answered(answer.flags, isComplete: answer.isComplete),
          toldBase: isDirect ? answer.baseURL : nil)
      } catch let failure as FlagExchange.Failure {
        finish(number, .failed(failure.error, retryAfter: failure.retryAfter))
      } catch let unusable as UnusableAnswer {
        finish(number, .failed(.unusable(unusable.message), retryAfter: nil))
      } catch {
        finish(number, .failed(.unusable("it cannot be read"), retryAfter: nil))
      }
    }
  }

  private func finish(_ number: Int, _ outcome: FlagPlan.Outcome, toldBase: String? = nil) {
    var change: RecordChange?
    step { shared, now in
      let isCurrent = shared.plan.flightStart(number) != nil
      var actions = shared.plan.finish(number, outcome, now)
      guard isCurrent, let toldBase, let record = adopt(toldBase, &shared) else { return actions }
      change = record
      actions += updateConditions(&shared, now)
      return actions
    }
    if let change { line.write(change) }
  }

  /// Takes a base URL that a successful answer told (RF-91).
  ///
  /// - Returns: What to store; nil if nothing changes.
  func adopt(_ text: String, _ shared: inout Shared) -> RecordChange? {
    guard shared.server.proxy == nil, let base = ServerAddress.base(text),
      let application = shared.plan.subject.application?.text,
      let configured = shared.server.configuredBase(application),
      base != shared.server.toldBase ?? configured
    else { return nil }
    shared.server.toldBase = base
    return StoreRecords.address(base, for: application, configured: configured)
  }

  func updateConditions(_ shared: inout Shared, _ now: FlagPlan.Now) -> [FlagPlan.Action] {
    var conditions = shared.plan.conditions
    conditions.hasAddress = EngineStart.hasAddress(shared.server, shared.plan.subject, wire)
    return shared.plan.update(conditions, now)
  }
}
