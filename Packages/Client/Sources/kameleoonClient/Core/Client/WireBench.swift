// SPDX-License-Identifier: Apache-2.0

import AnoleEvaluation
public import AnoleModels

/// What replaying recorded exchanges needs beyond the public interface.
///
/// Recordings of server-side clients use kinds of data that have no public type here, and look into a
/// visitor's record. Not for applications: everything may change.
@_spi(AnoleConformance)
public struct WireBench: Sendable {
  private let registry = ClientRegistry()

  /// Makes a bench, whose clients share nothing with those of another one.
  public init() {}

  /// The client for the arguments, as the factory makes it.
  ///
  /// - Throws: As ``KameleoonClientFactory/create(siteCode:visitorCode:config:options:)``.
  public func client(
    siteCode: String, visitorCode: String?, config: KameleoonClientConfig, options: ClientOptions
  ) throws -> any AnoleClient {
    try registry.client(
      siteCode: siteCode, visitorCode: visitorCode, config: config, options: options)
  }

  /// How many engines have not ended.
  public var engineCount: Int { registry.engineCount }

  /// Adds data of any kind to the visitor of a client that this module has made.
  public static func add(_ data: [VisitorDatum], isTracked: Bool, to client: any KameleoonClient) {
    guard let client = client as? Client else { return }
    let catalogue = client.snapshot?.evaluation.customData ?? CustomDataCatalogue()
    client.add(data, from: .application(isTracked: isTracked), catalogue)
    client.reportChanges()
  }

  /// The record of the visitor of a client; nil if this module has not made it.
  public static func record(of client: any KameleoonClient) -> VisitorRecord? {
    (client as? Client)?.slot.record
  }

  /// Fetches what the platform knows of the visitor, with the filters of server-side clients.
  ///
  /// - Returns: What those clients return, in their order; nil if this module has not made the client.
  public static func remoteVisitorData(
    of client: any KameleoonClient, filter: Types.RemoteVisitorDataFilter, pages: Bool,
    device: Bool, browser: Bool, operatingSystem: Bool, addData: Bool
  ) async throws -> [VisitorDatum]? {
    let filter = RemoteFilter(
      filter: filter, pages: pages, device: device, browser: browser,
      operatingSystem: operatingSystem)
    return try await (client as? Client)?.fetchVisitorData(filter, addData: addData).returnedItems
  }
}
