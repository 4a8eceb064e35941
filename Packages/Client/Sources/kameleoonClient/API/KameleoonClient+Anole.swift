// SPDX-License-Identifier: Apache-2.0

/// A client with what goes beyond the vendor's interface.
///
/// ``KameleoonClientFactory/create(siteCode:visitorCode:config:options:)`` returns it, and every client of
/// the factory adopts it: `client as? any AnoleClient` never fails for them. It is a protocol of its own, so
/// that stand-ins written for the vendor's interface stay complete.
public protocol AnoleClient: KameleoonClient {
  /// What the visitor gets of a flag now, with the reason and every step that led to it.
  ///
  /// Nothing is saved and nothing is reported.
  ///
  /// - Parameter featureKey: The flag's key.
  /// - Throws: As ``KameleoonClient/getVariation(featureKey:track:)``.
  func decision(featureKey: String) throws -> FlagDecision

  /// What the visitor gets of a flag, now and whenever it becomes something else.
  ///
  /// The first element is the present variation, as soon as there is one; an element that equals the one
  /// before is left out. Looked at again are the flag after a change of configuration, of the visitor's
  /// data, of consent, and of forced variations. While the flag cannot be evaluated there is no element.
  /// Nothing is reported. A consumer that is slow gets the newest variation. The sequence ends when the
  /// client is closed.
  ///
  /// - Parameter featureKey: The flag's key.
  /// - Returns: A sequence for one consumer; ask again for another.
  func changes(of featureKey: String) -> AsyncStream<Types.Variation>

  /// Where the configuration in force comes from; nil while there is none.
  var dataFileOrigin: DataFileOrigin? { get }

  /// How the client is: its configuration, its connections, its reports.
  var health: ClientHealth { get async }

  /// Ends the client: keeps what was not sent for the next start, closes its connections and its store.
  ///
  /// Returns when nothing of the client runs any more. Those who wait for readiness are told at once; no
  /// callback is called afterwards. Calls after it fail with ``KameleoonError/sdkNotReady`` or do nothing,
  /// and the factory makes a new client for the same visitor. Calling it again is fine.
  func close() async
}
