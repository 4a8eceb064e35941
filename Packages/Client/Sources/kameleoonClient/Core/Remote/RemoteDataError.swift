// SPDX-License-Identifier: Apache-2.0

import AnoleNetworking
import Foundation

/// Why remote data could not be had.
struct RemoteDataError: Error, LocalizedError, CustomStringConvertible {
  /// One sentence, without address and body.
  let description: String

  /// The same as ``description``.
  var errorDescription: String? { description }

  /// The answer holds nothing where a value is expected.
  static let empty = RemoteDataError(
    description: "The answer is empty; check that a value was stored under the key")
  /// The answer is not what the platform documents.
  static let unreadable = RemoteDataError(
    description: "The answer cannot be read; check that the address serves the platform's data")
  /// The client was closed.
  static let closed = RemoteDataError(description: "The client was closed; make a new one")

  /// A request that failed.
  static func failed(_ error: RequestError) -> RemoteDataError {
    RemoteDataError(description: "The request failed: \(error)")
  }
}
