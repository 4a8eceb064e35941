// SPDX-License-Identifier: Apache-2.0

import AnoleEvaluation
import AnoleModels
import AnoleStorage
import AnoleTargeting
import AnoleTracking
import Foundation

// What goes beyond the vendor's interface.

extension Client {
  func decision(featureKey: String) throws -> FlagDecision {
    let (snapshot, utcOffset) = try project()
    let now = self.now
    let moment = Moment(now: now, utcOffsetSeconds: utcOffset)
    let record = record(at: now)
    do throws(EvaluationError) {
      let (decision, trace) = try snapshot.evaluation.decideExplaining(
        featureKey, visitorCode: visitorCode, record: record, at: moment)
      return FlagDecision(
        featureKey: featureKey, variation: snapshot.variation(of: decision),
        reason: decision.reason, ruleId: decision.ruleID.map { Int($0) },
        origin: origin(of: snapshot), trace: trace)
    } catch {
      throw publicError(error, owner: featureKey)
    }
  }

  var dataFileOrigin: DataFileOrigin? { snapshot.map(origin(of:)) }

  private func origin(of snapshot: ProjectSnapshot) -> DataFileOrigin {
    let confirmed = engine.loadStatus.lastSuccess
    let fetched = snapshot.fetchedAt ?? Timestamp(milliseconds: 0)
    switch snapshot.origin {
    case .givenDefault: return .defaultDataFile
    case .stored:
      return confirmed.map { .fetched(at: Date($0)) } ?? .stored(since: Date(fetched))
    case .fetched: return .fetched(at: Date(confirmed ?? fetched))
    case .streamed: return .streamed(at: Date(fetched))
    }
  }

  var health: ClientHealth {
    get async {
      let status = engine.loadStatus
      let snapshot = snapshot
      let modified = snapshot?.evaluation.dataFile.dateModified
      return ClientHealth(
        isReady: snapshot != nil, isClosed: isClosed, dataFileOrigin: dataFileOrigin,
        dataFileModified: modified.flatMap { $0.milliseconds == 0 ? nil : Date($0) },
        lastFetch: status.lastFetch.map(ClientHealth.Fetch.init), stream: .init(status.stream),
        isStoreDurable: engine.isStoreDurable,
        tracking: ClientHealth.Tracking(await engine.tracker.status()))
    }
  }
}

extension Date {
  init(_ time: Timestamp) {
    self.init(timeIntervalSince1970: Double(time.milliseconds) / 1_000)
  }
}

extension ClientHealth.Fetch {
  fileprivate init(_ fetch: LoadStatus.Fetch) {
    let outcome: Outcome =
      switch fetch.outcome {
      case .updated: .updated
      case .unchanged: .unchanged
      case .failed(let message): .failed(message)
      }
    self.init(time: Date(fetch.time), outcome: outcome)
  }
}

extension ClientHealth.Stream {
  fileprivate init(_ stream: LoadPlan.Stream) {
    switch stream {
    case .closed: self = .off
    case .opening: self = .connecting
    case .connected: self = .open
    }
  }
}

extension ClientHealth.Tracking {
  fileprivate init(_ status: TrackingStatus) {
    let lastStatus: Int? =
      switch status.lastAnswer?.outcome {
      case .delivered(let status), .refused(let status): status
      case .nothingToSend, .failed, .cancelled, nil: nil
      }
    let dropped = status.dropped.map { ($0.key.name, $0.value) }
    self.init(
      waiting: status.queued, oldest: status.oldest.map { Date($0) }, sent: status.sent,
      dropped: Dictionary(dropped) { $0 + $1 }, lastStatus: lastStatus,
      isPaused: status.isPaused, isProbing: status.isProbing)
  }
}
