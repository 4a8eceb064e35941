// SPDX-License-Identifier: Apache-2.0

import AnoleEvaluation
import AnoleModels
import AnoleTracking

// What is known of the visitor: network specification, sections 3.1, 3.7, 3.9 and 3.10.

extension Client {
  func addData(_ data: [any KameleoonData]) { addData(track: true, data) }

  func addData(track: Bool, _ data: [any KameleoonData]) {
    add(data, isTracked: track)
    reportChanges()
  }

  func trackConversion(
    goalId: Int, revenue: Double, negative: Bool, metadata: [CustomData]
  ) {
    if !revenue.isFinite {
      KameleoonLogger.write(.error, "a conversion's revenue must be finite; 0 is reported")
    }
    let conversion = Conversion(
      goalId: goalId, revenue: revenue, negative: negative, metadata: metadata)
    add([conversion], isTracked: true)
    enqueue()
    reportChanges()
  }

  func flush(instant: Bool) {
    guard !isClosed else { return }
    guard snapshot != nil else {
      KameleoonLogger.write(.warning, "flush: the client is not ready, nothing is sent yet")
      return
    }
    guard instant else { return enqueue() }
    tasks.run { [engine, visitorCode] in _ = await engine.tracker.flush(visitorCode) }
  }

  func setLegalConsent(_ legalConsent: Bool) {
    guard !isClosed else { return }
    change { record, _ in record.setLegalConsent(legalConsent) }
    // Before there is a data file no interval writes records, and an answer must not be lost.
    if snapshot == nil { engine.writeRecords() }
    if legalConsent { beginActivity() }
    reportChanges()
  }

  /// Queues the visitor for the next interval.
  func enqueue() {
    guard !isClosed else { return }
    engine.tracker.enqueue(visitorCode)
  }

  /// Adds data; those that identify the visitor as a user link both codes.
  func add(_ data: [any KameleoonData], isTracked: Bool) {
    guard !isClosed else { return }
    let catalogue = snapshot?.evaluation.customData ?? CustomDataCatalogue()
    let now = self.now
    var items: [VisitorDatum] = []
    for datum in data {
      if let item = datum.datum(at: now, catalogue: catalogue) {
        items.append(item)
      } else {
        KameleoonLogger.write(
          .error, "addData: \(type(of: datum)) is no type of this module and was ignored")
      }
    }
    add(items, from: .application(isTracked: isTracked), catalogue)
  }

  /// Adds data from anywhere.
  func add(
    _ items: [VisitorDatum], from source: DatumSource, _ catalogue: CustomDataCatalogue
  ) {
    guard !items.isEmpty else { return }
    let outcomes = change { [visitorCode] record, now in
      items.map {
        record.add($0, visitorCode: visitorCode, from: source, at: now, catalogue: catalogue)
      }
    }
    for outcome in outcomes {
      switch outcome {
      case .stored: break
      case .dropped(let reason): KameleoonLogger.write(.error, "addData: \(reason)")
      case .identified(let userCode): link(userCode)
      }
    }
  }

  /// From now on a user's code shares the visitor's record, also after a restart.
  private func link(_ userCode: String) {
    let owner = slot.current
    guard engine.visitors.link(userCode, to: owner) else { return }
    engine.local.write(linkOf: userCode, to: owner.code)
  }
}
