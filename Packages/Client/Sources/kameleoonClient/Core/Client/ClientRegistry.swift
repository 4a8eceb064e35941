// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleEvaluation
import AnoleModels

/// Gives the same client for equal arguments, and ends what nobody uses any more.
///
/// Clients of one site with equal settings share an engine; whether the visitor code is the customer's
/// own identifier is the client's affair alone. Any thread may call.
final class ClientRegistry: Sendable {
  /// The registry behind ``KameleoonClientFactory``.
  static let shared = ClientRegistry()

  private struct EngineKey: Hashable, Sendable {
    let siteCode: ExactText
    /// The settings without the mark of the visitor code.
    let config: KameleoonClientConfig

    /// Feeds what tells most engines apart, not the text of a default data file.
    func hash(into hasher: inout Hasher) {
      hasher.combine(siteCode)
      hasher.combine(config.environment)
    }
  }

  private struct ClientKey: Hashable, Sendable {
    let engine: EngineKey
    let visitorCode: ExactText
    let isUniqueIdentifier: Bool
  }

  private struct State: Sendable {
    var engines: [EngineKey: ProjectEngine] = [:]
    var clients: [ClientKey: Client] = [:]
    /// How many creations use an engine that may have no client yet.
    var creations: [ObjectIdentifier: Int] = [:]
  }

  private let state = Lock(State())

  /// How many engines there are.
  var engineCount: Int { state.withLock { $0.engines.count } }

  /// The client for the arguments, made if need be.
  ///
  /// - Throws: ``KameleoonError/siteCodeIsEmpty``, ``KameleoonError/visitorCodeInvalid(_:)``.
  func client(
    siteCode: String, visitorCode: String?, config: KameleoonClientConfig?, options: ClientOptions
  ) throws -> Client {
    let config =
      config ?? ConfigurationFile(path: options.configurationFile).read()
    return try client(siteCode: siteCode, visitorCode: visitorCode, config: config) {
      EngineServices(options, siteCode: siteCode)
    }
  }

  /// The client for the arguments; `services` is called if a new engine has to be made.
  func client(
    siteCode: String, visitorCode: String?, config: KameleoonClientConfig,
    services: () -> EngineServices
  ) throws -> Client {
    guard !siteCode.isEmpty else { throw KameleoonError.siteCodeIsEmpty }
    if let visitorCode, !VisitorCode.isValid(visitorCode) {
      throw KameleoonError.visitorCodeInvalid(visitorCode)
    }
    let settings = EffectiveConfiguration(config)
    let key = EngineKey(siteCode: ExactText(siteCode), config: config.withoutIdentifierMark)
    let engine = engine(key) {
      ProjectEngine(siteCode: siteCode, settings: settings, services: services())
    }
    defer { endCreation(of: engine) }
    engine.open()
    let code = engine.takeVisitorCode(visitorCode)
    return client(code, settings.isUniqueIdentifier, key, engine)
  }

  private func engine(_ key: EngineKey, make: () -> ProjectEngine) -> ProjectEngine {
    let found = state.withLock { state -> ProjectEngine? in
      guard let engine = state.engines[key] else { return nil }
      state.creations[ObjectIdentifier(engine), default: 0] += 1
      return engine
    }
    if let found { return found }
    let made = make()
    // Of two that are made at the same time one is used; the other has opened nothing.
    return state.withLock { state in
      let engine = state.engines[key] ?? made
      state.engines[key] = engine
      state.creations[ObjectIdentifier(engine), default: 0] += 1
      return engine
    }
  }

  private func endCreation(of engine: ProjectEngine) {
    state.withLock { state in
      let left = (state.creations[ObjectIdentifier(engine)] ?? 1) - 1
      state.creations[ObjectIdentifier(engine)] = left > 0 ? left : nil
    }
  }

  private func client(
    _ visitorCode: String, _ isUnique: Bool, _ key: EngineKey, _ engine: ProjectEngine
  ) -> Client {
    let clientKey = ClientKey(
      engine: key, visitorCode: ExactText(visitorCode), isUniqueIdentifier: isUnique)
    if let client = state.withLock({ $0.clients[clientKey] }) { return client }
    let slot = engine.openVisitor(visitorCode, isUnique: isUnique)
    // The client keeps the registry, so that it can always be closed; closing takes it out of here.
    let made = Client(
      visitorCode: visitorCode, isUniqueIdentifier: isUnique, slot: slot, engine: engine
    ) { [self] in await close($0, clientKey) }
    made.beginVisit()
    engine.state.add(made)
    let client = state.withLock { state -> Client in
      let client = state.clients[clientKey] ?? made
      state.clients[clientKey] = client
      return client
    }
    if client !== made {
      // Another thread was faster; nobody has seen this one.
      _ = engine.state.remove(made)
      engine.visitors.end(visitorCode)
    }
    return client
  }

  /// Takes a client out and ends its engine if it was the last.
  private func close(_ client: Client, _ key: ClientKey) async {
    let isKnown = state.withLock { state in
      guard state.clients[key] === client else { return false }
      state.clients[key] = nil
      return true
    }
    guard isKnown else { return }
    let engine = client.engine
    await engine.persist()
    let isShared = engine.state.remove(client)
    engine.forgetVisitor(client.visitorCode)
    guard !isShared else { return }
    // Since then another client may have been made.
    let isUnused = state.withLock { state in
      guard engine.state.clients.isEmpty, state.creations[ObjectIdentifier(engine)] == nil,
        state.engines[key.engine] === engine
      else { return false }
      state.engines[key.engine] = nil
      return true
    }
    if isUnused { await engine.shutDown() }
  }
}

extension KameleoonClientConfig {
  /// The same settings without the mark that belongs to one client.
  fileprivate var withoutIdentifierMark: KameleoonClientConfig {
    KameleoonClientConfig(
      clientId: clientId, clientSecret: clientSecret,
      refreshIntervalMinute: refreshIntervalMinute,
      dataExpirationIntervalMinute: dataExpirationIntervalMinute,
      defaultTimeoutMillisecond: defaultTimeoutMillisecond,
      trackingIntervalMillisecond: trackingIntervalMillisecond, environment: environment,
      networkDomain: networkDomain, defaultDataFile: defaultDataFile,
      activityTrackingIntervalMillisecond: activityTrackingIntervalMillisecond)
  }
}
