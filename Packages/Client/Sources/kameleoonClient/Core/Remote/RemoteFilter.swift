// SPDX-License-Identifier: Apache-2.0

import AnoleNetworking

/// Which data of a visitor are fetched, with the parts that only server-side clients offer.
struct RemoteFilter: Sendable {
  /// The public filter.
  var filter: Types.RemoteVisitorDataFilter
  /// Whether pages are asked for.
  var pages = false
  /// Whether the device is taken over.
  var device = false
  /// Whether the browser is taken over.
  var browser = false
  /// Whether the operating system is taken over.
  var operatingSystem = false

  /// The query for a visitor.
  func query(visitorCode: String, isUniqueIdentifier: Bool) -> VisitorDataQuery {
    var query = filter.query(visitorCode: visitorCode, isUniqueIdentifier: isUniqueIdentifier)
    if pages { query.parts.insert(.pages) }
    return query
  }
}
