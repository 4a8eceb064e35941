// SPDX-License-Identifier: Apache-2.0

import AnoleModels

extension Emulator {
  /// Sets a data file.
  ///
  /// - Parameters:
  ///   - body: The JSON text; it is served as it is, valid or not.
  ///   - lastModified: The text of `Last-Modified`; a request with the same text in
  ///     `If-Modified-Since` is answered with 304.
  ///   - entityTag: The `ETag` with its quotes; decides instead if the request has `If-None-Match`.
  ///   - environment: The environment; nil for requests without one and those whose environment has no
  ///     file.
  ///   - siteCode: The site code; nil for all that have no file of their own.
  public func setDataFile(
    _ body: [UInt8], lastModified: String? = nil, entityTag: String? = nil,
    environment: String? = nil, siteCode: String? = nil
  ) {
    let file = ServedDataFile(body: body, lastModified: lastModified, entityTag: entityTag)
    core.change { $0.dataFiles.set(file, siteCode: siteCode, environment: environment) }
  }

  /// Sets a data file from a string; see ``setDataFile(_:lastModified:entityTag:environment:siteCode:)``.
  public func setDataFile(
    _ text: String, lastModified: String? = nil, entityTag: String? = nil,
    environment: String? = nil, siteCode: String? = nil
  ) {
    setDataFile(
      Array(text.utf8), lastModified: lastModified, entityTag: entityTag,
      environment: environment, siteCode: siteCode)
  }

  /// Removes one data file; its requests are answered by the next general one or with 404.
  public func removeDataFile(environment: String? = nil, siteCode: String? = nil) {
    core.change { $0.dataFiles.set(nil, siteCode: siteCode, environment: environment) }
  }

  /// Tells the open streams that the configuration has changed; returns how many there are.
  ///
  /// - Parameters:
  ///   - timestamp: The `ts` of the event, in milliseconds.
  ///   - siteCode: Only streams of this site code; nil for all.
  @discardableResult
  public func pushConfigurationUpdate(timestamp: Int64, siteCode: String? = nil) -> Int {
    core.change {
      $0.pushConfigurationUpdate(Timestamp(milliseconds: timestamp), siteCode: siteCode)
    }
  }

  /// Sends one event on the open streams; returns how many there are.
  @discardableResult
  public func pushEvent(name: String?, data: String, siteCode: String? = nil) -> Int {
    pushStreamBytes(StreamText.event(name: name, data: data), siteCode: siteCode)
  }

  /// Sends a comment, which clients ignore, on the open streams; returns how many there are.
  @discardableResult
  public func pushComment(_ text: String, siteCode: String? = nil) -> Int {
    pushStreamBytes(StreamText.comment(text), siteCode: siteCode)
  }

  /// Sends bytes as they are on the open streams; returns how many there are.
  @discardableResult
  public func pushStreamBytes(_ bytes: [UInt8], siteCode: String? = nil) -> Int {
    core.change { $0.push(bytes, siteCode: siteCode) }
  }

  /// Ends the open streams, as the platform does now and then; returns how many there were.
  @discardableResult
  public func closeStreams(siteCode: String? = nil) -> Int {
    core.change { $0.closeStreams(siteCode: siteCode) }
  }

  /// How many streams are open.
  public var openStreams: Int { core.change { $0.streams.count } }

  /// Sets the remote data of a key; nil removes it.
  public func setRemoteData(_ json: String?, forKey key: String) {
    core.change { $0.remoteData[key] = json.map { Array($0.utf8) } }
  }

  /// Sets the warehouse audiences of a key, which lie among the remote data.
  public func setWarehouseAudiences(_ names: [String], forKey key: String) {
    core.change { $0.setWarehouseAudiences(names, forKey: key) }
  }

  /// Sets the answer to requests for visitor data; nil restores `{}`.
  ///
  /// - Parameters:
  ///   - json: The answer, which is sent whatever parts the request asks for.
  ///   - visitor: The visitor code, or the mapping value where the request names that.
  public func setVisitorData(_ json: String?, forVisitor visitor: String) {
    core.change { $0.visitorData[visitor] = json.map { Array($0.utf8) } }
  }

  /// Sets the client ids that get tokens, with their secrets; at first there are none.
  public func setCredentials(_ secretsByID: [String: String]) {
    core.change { $0.tokens.credentials = secretsByID }
  }

  /// Sets how many seconds the tokens live that are issued from now on; two hours at first.
  public func setTokenLifetime(seconds: Int) {
    core.change { $0.tokens.lifetime = seconds }
  }

  /// Sets whether tracking, remote data and visitor data are refused without a token; false at first.
  public func requireToken(_ isRequired: Bool) {
    core.change { $0.tokens.isRequired = isRequired }
  }

  /// Makes a text a good token that never expires.
  public func acceptToken(_ text: String) { core.change { $0.tokens.accept(text) } }

  /// Makes every token that was issued or accepted a bad one.
  public func revokeTokens() { core.change { $0.tokens.revokeAll() } }

  /// Lets something go wrong with the next requests of a route, after the faults set before.
  ///
  /// - Parameters:
  ///   - fault: What goes wrong.
  ///   - route: The route.
  ///   - times: With how many requests; nil until ``clearFaults(on:)``.
  /// - Precondition: Fewer than 10,000 faults wait for the route; the fault's status is 200–999.
  public func addFault(_ fault: Fault, on route: Route, times: Int? = 1) {
    fault.check()
    let isAdded = core.change { $0.faults.add(fault, to: route, times: times) }
    precondition(isAdded, "\(FaultBook.maximumEntries) faults wait for \(route): clear them first")
  }

  /// Forgets the faults of a route; nil for all routes.
  public func clearFaults(on route: Route? = nil) { core.change { $0.faults.clear(route) } }

  /// Closes the next connections as soon as they are made, before anything is read from them.
  ///
  /// - Parameter times: How many; 0 none, nil all until this is called again.
  public func refuseConnections(times: Int?) {
    core.change { $0.refusedConnections = times.map { max(0, $0) } }
  }

  /// Forgets everything that was set and recorded, and ends the open streams.
  public func reset() { core.change { $0.reset() } }
}
