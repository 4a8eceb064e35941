// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleModels
import AnoleNetworking
import AnoleStorage

extension FlagEngine {
  /// Makes a call of the device API; the address and the token are those of the moment it is sent.
  ///
  /// - Parameters:
  ///   - user: The user for whom it goes out; nil for the one in force then.
  ///   - application: The application for which it goes out; nil for the one in force then.
  func call(
    _ call: DeviceCall, user: String? = nil, application: String? = nil
  ) async throws(RemoteFlagsError) {
    let (url, headers, identity, isDirect) = try target(call, user, application)
    let envelope: Envelope
    do {
      let body = try await exchange.send(url, headers: headers, body: call.body(identity))
      envelope = try Envelope(reading: body)
    } catch let failure as FlagExchange.Failure {
      throw failure.error
    } catch let unusable as UnusableAnswer {
      throw .unusable(unusable.message)
    } catch {
      throw .unusable("it cannot be read")
    }
    guard isDirect, let told = envelope.baseURL else { return }
    var change: RecordChange?
    step { shared, now in
      guard shared.plan.subject.application?.text == identity.application,
        let record = adopt(told, &shared)
      else { return [] }
      change = record
      return updateConditions(&shared, now)
    }
    if let change { line.write(change) }
  }

  private func target(
    _ call: DeviceCall, _ user: String?, _ application: String?
  ) throws(RemoteFlagsError) -> (String, HTTPHeaders, DeviceIdentity, Bool) {
    let result = shared.withLock {
      shared -> Result<(String, HTTPHeaders, DeviceIdentity, Bool), RemoteFlagsError> in
      guard !shared.plan.conditions.isClosed, !Task.isCancelled else {
        return .failure(.notSent("the client was shut down or the call replaced"))
      }
      guard shared.plan.conditions.allowsCommunication else {
        return .failure(.notSent("server communication is stopped; start it"))
      }
      guard let application = application ?? shared.plan.subject.application?.text else {
        return .failure(.notSent("there is no application code; set one"))
      }
      guard let url = shared.server.url(call.method, application: application) else {
        return .failure(
          .notSent("the base URL or reverse proxy cannot be used: it must be http or https"))
      }
      let identity = shared.identity(
        application, user: user ?? shared.plan.subject.user.text, fixed)
      return .success((url, shared.server.headers, identity, shared.server.proxy == nil))
    }
    return try result.get()
  }

  func logImpression(_ key: String) {
    let now = now
    let seconds = wallClock.seconds
    let offset = utcOffset(seconds)
    let order = shared.withLock {
      shared -> (key: ImpressionLog.Key, FlagImpression, application: String)? in
      guard shared.plan.conditions.allowsCommunication, !shared.plan.conditions.isClosed,
        let application = shared.plan.subject.application?.text,
        let entry = shared.plan.visibleFlags(at: now.moment)[key]?.entry
      else { return nil }
      let key = ImpressionLog.Key(
        session: shared.plan.session, user: shared.plan.subject.user, flag: ExactText(entry.key),
        rule: ExactText(entry.ruleID), isEnabled: entry.isEnabled)
      guard shared.impressions.begin(key) else { return nil }
      let impression = FlagImpression(
        flagKey: entry.key, ruleID: entry.ruleID, isEnabled: entry.isEnabled, time: seconds,
        utcOffset: offset)
      return (key, impression, application)
    }
    guard let (key, impression, application) = order else { return }
    tasks.start {
      var isDelivered = true
      do throws(RemoteFlagsError) {
        try await self.call(
          .impression(impression), user: key.user.text, application: application)
      } catch {
        isDelivered = false
        self.report(
          RemoteFlagsReport(code: .request, message: "an impression was not sent: \(error.message)")
        )
      }
      self.shared.withLock { $0.impressions.end(key, isDelivered: isDelivered) }
    }
  }

  func registerUser(
    _ user: String, _ completion: (@Sendable (RemoteFlagsError?) -> Void)?
  ) {
    let order = RegistrationPlan.Order(user: user, completion: completion)
    perform(shared.withLock { $0.registration.add(order) })
  }

  private func perform(_ step: RegistrationPlan.Step) {
    if let number = step.cancel { tasks.cancel(.registration(number)) }
    if let order = step.replaced { complete(order, .notSent("another user was set meanwhile")) }
    guard let (number, order) = step.start else { return }
    tasks.start(.registration(number)) {
      await self.tellUser(order)
      self.perform(self.shared.withLock { $0.registration.end(number) })
    }
  }

  private func complete(_ order: RegistrationPlan.Order, _ error: RemoteFlagsError?) {
    guard let completion = order.completion else { return }
    executor.execute { completion(error) }
  }

  private func tellUser(_ order: RegistrationPlan.Order) async {
    do throws(RemoteFlagsError) {
      try await call(.registerUser, user: order.user)
      complete(order, nil)
    } catch {
      let isOwed = shared.withLock { shared -> Bool in
        guard shared.plan.subject.user.text.hasSameBytes(as: order.user), !shared.canCall else {
          return false
        }
        shared.owesRegistration = true
        return true
      }
      if !isOwed {
        report(
          RemoteFlagsReport(
            code: .registration, message: "the server was not told the user: \(error.message)"))
      }
      complete(order, error)
    }
  }
}
