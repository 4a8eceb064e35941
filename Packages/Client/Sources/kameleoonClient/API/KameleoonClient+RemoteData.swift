// SPDX-License-Identifier: Apache-2.0

public import Foundation

extension KameleoonClient {
  /// Fetches a value that was stored on the platform, and decodes it from JSON.
  ///
  /// - Parameters:
  ///   - key: Its key; empty for the visitor code.
  ///   - completion: Receives the value or why there is none.
  public func getRemoteData<T: Decodable>(
    key: String, completion: @escaping (Result<T, any Error>) -> Void
  ) {
    // The type of the parameter picks the overload that hands out bytes.
    getRemoteData(key: key) { (result: Result<Data, any Error>) in
      completion(result.flatMap { bytes in Result { try RemoteValue.decode(bytes) } })
    }
  }

  /// Fetches a value that was stored on the platform, and decodes it from JSON.
  ///
  /// - Parameter key: Its key; empty for the visitor code.
  /// - Throws: A failure of the request, `DecodingError`, `CancellationError`.
  public func getRemoteData<T: Decodable>(key: String) async throws -> T {
    try RemoteValue.decode(try await getRawRemoteData(key: key))
  }

  /// Fetches the value that was stored on the platform for the visitor, and decodes it from JSON.
  ///
  /// - Parameter completion: Receives the value or why there is none.
  public func getRemoteData<T: Decodable>(completion: @escaping (Result<T, any Error>) -> Void) {
    getRemoteData(key: "", completion: completion)
  }

  /// Fetches the value that was stored on the platform for the visitor, as it is.
  ///
  /// - Parameter completion: Receives the bytes of the JSON text or why there are none.
  public func getRemoteData(completion: @escaping (Result<Data, any Error>) -> Void) {
    getRemoteData(key: "", completion: completion)
  }

  /// Fetches the value that was stored on the platform for the visitor, and decodes it from JSON.
  ///
  /// - Throws: A failure of the request, `DecodingError`, `CancellationError`.
  public func getRemoteData<T: Decodable>() async throws -> T {
    try await getRemoteData(key: "")
  }

  /// Fetches the value that was stored on the platform for the visitor, as it is.
  ///
  /// - Throws: A failure of the request, `CancellationError`.
  public func getRawRemoteData() async throws -> Data {
    try await getRawRemoteData(key: "")
  }

  /// Fetches what the platform knows about the visitor, and adds it to the visitor.
  ///
  /// - Parameter completion: Receives the data or why there are none.
  public func getRemoteVisitorData(
    completion: @escaping (Result<[any KameleoonData], any Error>) -> Void
  ) {
    getRemoteVisitorData(filter: .default, addData: true, completion: completion)
  }

  /// Fetches what the platform knows about the visitor, and adds it to the visitor.
  ///
  /// - Parameters:
  ///   - filter: Which data.
  ///   - completion: Receives the data or why there are none.
  public func getRemoteVisitorData(
    filter: Types.RemoteVisitorDataFilter,
    completion: @escaping (Result<[any KameleoonData], any Error>) -> Void
  ) {
    getRemoteVisitorData(filter: filter, addData: true, completion: completion)
  }

  /// Fetches what the platform knows about the visitor, by the default filter.
  ///
  /// - Parameters:
  ///   - addData: Whether the data are added to the visitor.
  ///   - completion: Receives the data or why there are none.
  public func getRemoteVisitorData(
    addData: Bool, completion: @escaping (Result<[any KameleoonData], any Error>) -> Void
  ) {
    getRemoteVisitorData(filter: .default, addData: addData, completion: completion)
  }

  /// Fetches what the platform knows about the visitor, and adds it to the visitor.
  ///
  /// - Throws: A failure of the request, `CancellationError`.
  @discardableResult
  public func getRemoteVisitorData() async throws -> [any KameleoonData] {
    try await getRemoteVisitorData(filter: .default, addData: true)
  }

  /// Fetches what the platform knows about the visitor, and adds it to the visitor.
  ///
  /// - Parameter filter: Which data.
  /// - Throws: A failure of the request, `CancellationError`.
  @discardableResult
  public func getRemoteVisitorData(
    filter: Types.RemoteVisitorDataFilter
  ) async throws -> [any KameleoonData] {
    try await getRemoteVisitorData(filter: filter, addData: true)
  }

  /// Fetches what the platform knows about the visitor, by the default filter.
  ///
  /// - Parameter addData: Whether the data are added to the visitor.
  /// - Throws: A failure of the request, `CancellationError`.
  @discardableResult
  public func getRemoteVisitorData(addData: Bool) async throws -> [any KameleoonData] {
    try await getRemoteVisitorData(filter: .default, addData: addData)
  }

  /// Fetches the audiences of a warehouse that the visitor is in, by the visitor code.
  ///
  /// - Parameters:
  ///   - customDataIndex: The index of the custom data.
  ///   - completion: Receives the custom data or why there are none.
  public func getVisitorWarehouseAudience(
    customDataIndex: Int, completion: @escaping (Result<CustomData, any Error>) -> Void
  ) {
    getVisitorWarehouseAudience(
      warehouseKey: "", customDataIndex: customDataIndex, completion: completion)
  }

  /// Fetches the audiences of a warehouse that the visitor is in, by the visitor code.
  ///
  /// - Parameter customDataIndex: The index of the custom data.
  /// - Throws: A failure of the request, `CancellationError`.
  @discardableResult
  public func getVisitorWarehouseAudience(customDataIndex: Int) async throws -> CustomData {
    try await getVisitorWarehouseAudience(warehouseKey: "", customDataIndex: customDataIndex)
  }
}

/// Reads remote values.
enum RemoteValue {
  /// Decodes a JSON text; for `Data` it is the text itself.
  ///
  /// `Data` is decodable too, from Base64 text: nobody who asks for `Data` means that.
  static func decode<T: Decodable>(_ bytes: Data) throws -> T {
    if let raw = bytes as? T { return raw }
    return try JSONDecoder().decode(T.self, from: bytes)
  }
}
