// SPDX-License-Identifier: Apache-2.0

import AnoleModels

extension WireDecision {
  /// All decisions that change what a recording expects.
  package static let table: [WireDecision] = userAgent + tracking + remote + types

  /// iOS has no datum for the user agent: the text of the header rides on the first line.
  private static let userAgent: [WireDecision] = [
    "track_all_data_types", "batch_three_visitors", "track_local_only_kinds",
  ].map {
    WireDecision(
      $0, "network.md 3.4", "the user agent of a line is that of the request's header", .none)
  }

  private static let tracking: [WireDecision] = [
    WireDecision(
      "track_instant_flush_then_interval", "network.md 3.1",
      "an instant flush takes the visitor out of the queue: no activity event follows",
      .leavesOut(exchange: 2)),
    WireDecision(
      "track_exposure_untracked_after_tracked", "network.md 3.11",
      "an untracked evaluation does not discard a waiting exposure",
      .lines(
        exchange: 1,
        [
          "nonce={NONCE_1}&eventType=experiment&id=7001&variationId=70011&visitorCode=visitor-1"
        ])),
    WireDecision(
      "track_holdout_untracked", "network.md 3.11",
      "track=false suppresses the holdout exposure too: an activity event is sent",
      .lines(exchange: 1, ["nonce={NONCE_1}&eventType=activity&visitorCode=visitor-1"])),
  ]

  private static let remote: [WireDecision] = [
    WireDecision(
      "remote_visitor_data_local_wins", "network.md 4.4, 3.11",
      "a conversion that was fetched before is skipped, and of several of one goal the latest is kept",
      .part(
        step: 6, key: "conversions",
        [
          [
            "type": "conversion", "goalId": 33, "revenue": 1.0, "negative": false, "sent": false,
            "assignmentTime": "{NOW_MS}",
          ],
          [
            "type": "conversion", "goalId": 34, "revenue": 0.0, "negative": false, "sent": true,
            "assignmentTime": 1_764_000_595_000,
          ],
          [
            "type": "conversion", "goalId": 35, "revenue": 3.0, "negative": true, "sent": true,
            "assignmentTime": 1_763_900_020_000,
          ],
        ])),
    WireDecision(
      "remote_data", "network.md 4.1", "a status outside 2xx is a failure",
      .result(step: 4, failure)),
    WireDecision(
      "remote_visitor_data_failure", "network.md 4.4", "a failing answer is a failure",
      .result(step: 2, failure)),
    WireDecision(
      "warehouse_audience", "network.md 4.5", "a failing answer is a failure",
      .result(step: 4, failure)),
  ]

  /// Page views, browser and system have no public type on iOS.
  private static let types: [WireDecision] = [
    ("remote_visitor_data_default", 2), ("remote_visitor_data_local_wins", 5),
    ("remote_visitor_data_not_added", 2), ("remote_visitor_data_nothing", 2),
    ("remote_visitor_data_unique_identifier", 3),
  ].map {
    WireDecision(
      $0.0, "network.md 4.2", "page views have no public type and are not returned",
      .publicTypes(step: $0.1))
  }
}
