// SPDX-License-Identifier: Apache-2.0

public import AnoleStorage

/// Where a tracker takes the events of queued visitors from.
///
/// Both functions are called on the tracker's own queue, one call at a time. They should be quick,
/// and do no input or output.
public protocol TrackingSource: Sendable {
  /// Takes what a queued visitor has to send; it counts as sent from now on, since the tracker does
  /// not lose it.
  ///
  /// - Returns: nil if there is nothing to send; the visitor is skipped then.
  func takeEvents(of visitorCode: String) -> VisitorEvents?

  /// Takes changes of stored records that wait for no event; they are written with the next
  /// hand-over, which is made every interval.
  func takeRecordChanges() -> [RecordChange]
}
