// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)

  /// What all transfers of a transport have in common.
  struct CurlSettings: Sendable {
    /// Where a transfer stands; for tests, which cancel there.
    enum Stage: Sendable, Hashable {
      case resolving, connecting, sending, reading
    }

    var userAgent: String
    var caFile: String?
    var proxy: HTTPProxy
    var maximumConnectionsPerHost: Int
    var maximumConnections: Int
    /// Called on the loop's thread when a transfer reaches a stage.
    var onStage: (@Sendable (Stage) -> Void)?
  }

#endif
