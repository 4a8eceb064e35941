// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
public import Foundation
public import kameleoonClient

/// No answer was set for a remote call.
public struct MissingRemoteAnswer: Error, Sendable, Hashable, CustomStringConvertible {
  /// The key that was asked for.
  public let key: String

  /// Makes the error, to compare with.
  ///
  /// - Parameter key: The key that was asked for.
  public init(key: String) {
    self.key = key
  }

  /// What is missing.
  public var description: String { "no remote answer is set for the key \"\(key)\"" }
}

extension InMemoryClient {
  /// Hands out the value that was set for a key.
  ///
  /// - Parameters:
  ///   - key: The key; empty for the visitor code.
  ///   - completion: Receives the value or ``MissingRemoteAnswer``, once, on the executor.
  public func getRemoteData(
    key: String, completion: @escaping (Result<Data, any Error>) -> Void
  ) {
    complete(completion, with: Result { try remoteData(key) })
  }

  /// The value that was set for a key.
  ///
  /// - Parameter key: The key; empty for the visitor code.
  /// - Throws: ``MissingRemoteAnswer``, or the error that was set; `CancellationError`.
  public func getRawRemoteData(key: String) async throws -> Data {
    try Task.checkCancellation()
    return try remoteData(key)
  }

  /// Hands out the data that were set.
  ///
  /// - Parameters:
  ///   - filter: Written down.
  ///   - addData: Whether they are also written down as added.
  ///   - completion: Receives them, once, on the executor.
  public func getRemoteVisitorData(
    filter: Types.RemoteVisitorDataFilter, addData: Bool,
    completion: @escaping (Result<[any KameleoonData], any Error>) -> Void
  ) {
    complete(completion, with: Result { try visitorData(filter, addData) })
  }

  /// The data that were set.
  ///
  /// - Parameters:
  ///   - filter: Written down.
  ///   - addData: Whether they are also written down as added.
  /// - Throws: The error that was set; `CancellationError`.
  public func getRemoteVisitorData(
    filter: Types.RemoteVisitorDataFilter, addData: Bool
  ) async throws -> [any KameleoonData] {
    try Task.checkCancellation()
    return try visitorData(filter, addData)
  }

  /// Hands out the audiences that were set for a key, as custom data, which are written down as added.
  ///
  /// - Parameters:
  ///   - warehouseKey: The key; empty for the visitor code.
  ///   - customDataIndex: The index of the custom data.
  ///   - completion: Receives them or ``MissingRemoteAnswer``, once, on the executor.
  public func getVisitorWarehouseAudience(
    warehouseKey: String, customDataIndex: Int,
    completion: @escaping (Result<CustomData, any Error>) -> Void
  ) {
    complete(completion, with: Result { try audience(warehouseKey, customDataIndex) })
  }

  /// The audiences that were set for a key, as custom data, which are written down as added.
  ///
  /// - Parameters:
  ///   - warehouseKey: The key; empty for the visitor code.
  ///   - customDataIndex: The index of the custom data.
  /// - Throws: ``MissingRemoteAnswer``, or the error that was set; `CancellationError`.
  public func getVisitorWarehouseAudience(
    warehouseKey: String, customDataIndex: Int
  ) async throws -> CustomData {
    try Task.checkCancellation()
    return try audience(warehouseKey, customDataIndex)
  }

  private func complete<Value: Sendable>(
    _ completion: @escaping (Result<Value, any Error>) -> Void,
    with result: Result<Value, any Error>
  ) {
    let handedOver = HandedOver(run: completion)
    executor.execute { handedOver.run(result) }
  }

  private func remoteData(_ key: String) throws -> Data {
    let key = key.isEmpty ? visitorCode : key
    return try state.withLock { state in
      state.record.remoteCalls.append(.data(key: key))
      if let failure = state.remote.failure { throw failure }
      guard let json = state.remote.values[key] else { throw MissingRemoteAnswer(key: key) }
      return Data(json.utf8)
    }
  }

  private func visitorData(
    _ filter: Types.RemoteVisitorDataFilter, _ addsData: Bool
  ) throws -> [any KameleoonData] {
    let data = try state.withLock { state in
      state.record.remoteCalls.append(.visitorData(filter: filter, addsData: addsData))
      if let failure = state.remote.failure { throw failure }
      return state.remote.visitorData
    }
    if addsData { addData(track: false, data) }
    return data
  }

  private func audience(_ warehouseKey: String, _ index: Int) throws -> CustomData {
    let key = warehouseKey.isEmpty ? visitorCode : warehouseKey
    let names = try state.withLock { state in
      state.record.remoteCalls.append(.warehouseAudience(key: key, customDataIndex: index))
      if let failure = state.remote.failure { throw failure }
      guard let names = state.remote.audiences[key] else { throw MissingRemoteAnswer(key: key) }
      return names
    }
    let data = CustomData(index: index, values: names)
    addData(track: true, [data])
    return data
  }
}
