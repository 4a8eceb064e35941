// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleEvaluation
import AnoleModels
import AnoleNetworking
import Foundation

// Remote data: network specification, section 4.

extension Client {
  // MARK: Values

  func getRawRemoteData(key: String) async throws -> Data {
    let body = try await answer(to: engine.platform.requests.mapData(key: orVisitorCode(key)))
    guard !body.isEmpty else { throw RemoteDataError.empty }
    return Data(body)
  }

  func getRemoteData(key: String, completion: @escaping (Result<Data, any Error>) -> Void) {
    perform(completion) { try await $0.getRawRemoteData(key: key) }
  }

  // MARK: Visitor data

  @discardableResult
  func getRemoteVisitorData(
    filter: Types.RemoteVisitorDataFilter, addData: Bool
  ) async throws -> [any KameleoonData] {
    try await fetchVisitorData(RemoteFilter(filter: filter), addData: addData).publicItems
  }

  func getRemoteVisitorData(
    filter: Types.RemoteVisitorDataFilter, addData: Bool,
    completion: @escaping (Result<[any KameleoonData], any Error>) -> Void
  ) {
    perform(completion) { try await $0.getRemoteVisitorData(filter: filter, addData: addData) }
  }

  /// Fetches what the platform knows of the visitor, and adds it if that is wanted.
  func fetchVisitorData(
    _ filter: RemoteFilter, addData: Bool
  ) async throws -> RemoteVisitorData {
    let query = filter.query(visitorCode: visitorCode, isUniqueIdentifier: isUniqueIdentifier)
    let body = try await answer(to: engine.platform.requests.visitorData(query))
    guard let data = RemoteVisitorData(body, filter: filter) else {
      throw RemoteDataError.unreadable
    }
    if addData {
      add(data.items, from: .remote, snapshot?.evaluation.customData ?? CustomDataCatalogue())
    }
    if filter.filter.visitorCode, let code = data.visitorCode {
      change { record, _ in record.adoptMappingIdentifier(code) }
    }
    reportChanges()
    return data
  }

  // MARK: Warehouse

  @discardableResult
  func getVisitorWarehouseAudience(
    warehouseKey: String, customDataIndex: Int
  ) async throws -> CustomData {
    let body = try await answer(
      to: engine.platform.requests.mapData(key: orVisitorCode(warehouseKey)))
    // Why it cannot be read makes no difference to the caller.
    guard let json = try? JSONValue(parsing: body) else { throw RemoteDataError.unreadable }
    let audiences = json["warehouseAudiences"]?.objectValue ?? []
    let data = CustomData(index: customDataIndex, values: audiences.map(\.key))
    addData([data])
    return data
  }

  func getVisitorWarehouseAudience(
    warehouseKey: String, customDataIndex: Int,
    completion: @escaping (Result<CustomData, any Error>) -> Void
  ) {
    perform(completion) {
      try await $0.getVisitorWarehouseAudience(
        warehouseKey: warehouseKey, customDataIndex: customDataIndex)
    }
  }

  // MARK: - Parts

  private func orVisitorCode(_ key: String) -> String { key.isEmpty ? visitorCode : key }

  /// Sends a request once, with a token if there is one; only 2xx is an answer.
  private func answer(to request: HTTPRequest) async throws -> [UInt8] {
    guard !isClosed else { throw RemoteDataError.closed }
    do throws(RequestError) {
      return try await engine.platform.sender.send(
        request, policy: .remoteData, rule: .successful
      ).body
    } catch {
      if error == .cancelled { throw CancellationError() }
      throw RemoteDataError.failed(error)
    }
  }

  /// Runs work in a task of the client and tells its end once, on the callback executor.
  private func perform<Value: Sendable>(
    _ completion: @escaping (Result<Value, any Error>) -> Void,
    _ work: @escaping @Sendable (Client) async throws -> Value
  ) {
    let completion = HandedOver(completion)
    let executor = engine.executor
    let isRunning = tasks.run {
      let result: Result<Value, any Error>
      do { result = .success(try await work(self)) } catch { result = .failure(error) }
      executor.execute { completion.run(result) }
    }
    if !isRunning { executor.execute { completion.run(.failure(RemoteDataError.closed)) } }
  }
}
