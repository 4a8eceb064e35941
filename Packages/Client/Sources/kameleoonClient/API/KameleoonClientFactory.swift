// SPDX-License-Identifier: Apache-2.0

/// Makes clients.
///
/// A client is kept: for the same site code, visitor code and settings the same object comes back until it is
/// closed.
public enum KameleoonClientFactory: Sendable {
  /// The client of a site for a visitor.
  ///
  /// Returns at once; a stored or default configuration is in force then, the network is asked in the
  /// background.
  ///
  /// - Parameters:
  ///   - siteCode: The project's code.
  ///   - visitorCode: 1 to 255 characters; nil for the code that was used last, or a generated one. Either
  ///     is kept for later starts.
  ///   - config: The settings; nil for those of the file `kameleoon-client-swift.plist`, or the defaults
  ///     where there is none.
  /// - Throws: ``KameleoonError/siteCodeIsEmpty``, ``KameleoonError/visitorCodeInvalid(_:)``.
  public static func create(
    siteCode: String, visitorCode: String? = nil, config: KameleoonClientConfig? = nil
  ) throws -> any KameleoonClient {
    try create(
      siteCode: siteCode, visitorCode: visitorCode, config: config, options: ClientOptions())
  }

  /// The client of a site for a visitor, with more options than the vendor has.
  ///
  /// - Parameters:
  ///   - siteCode: The project's code.
  ///   - visitorCode: As for ``create(siteCode:visitorCode:config:)``.
  ///   - config: As for ``create(siteCode:visitorCode:config:)``.
  ///   - options: Where requests go, what is stored where, which clocks and queues are used. They count
  ///     when the client is made; a client that exists already keeps its own.
  /// - Throws: ``KameleoonError/siteCodeIsEmpty``, ``KameleoonError/visitorCodeInvalid(_:)``.
  public static func create(
    siteCode: String, visitorCode: String? = nil, config: KameleoonClientConfig? = nil,
    options: ClientOptions
  ) throws -> any AnoleClient {
    try ClientRegistry.shared.client(
      siteCode: siteCode, visitorCode: visitorCode, config: config, options: options)
  }
}
