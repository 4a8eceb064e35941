// SPDX-License-Identifier: Apache-2.0

/// The libraries that do the work, in the versions that the program has loaded.
public struct NetworkingLibraries: Sendable, Hashable {
  /// The version of libcurl, such as `7.88.1`; nil on Apple systems, where URLSession sends requests.
  public let curl: String?
  /// What libcurl does TLS with, such as `OpenSSL/3.0.11`; nil without TLS and without libcurl.
  public let tls: String?
  /// Whether libcurl speaks HTTP/2.
  public let hasHTTP2: Bool
  /// The version of zlib, such as `1.2.13`.
  public let zlib: String
  /// The file of trusted certificates (PEM) that libcurl uses unless it is told another one; nil if it was
  /// built without.
  public let caFile: String?
  /// The folder of trusted certificates that libcurl uses beside the file; nil if it was built without.
  public let caFolder: String?

  /// The libraries of this process.
  public static var loaded: NetworkingLibraries {
    #if canImport(Darwin)
      NetworkingLibraries(
        curl: nil, tls: nil, hasHTTP2: false, zlib: GzipCompressor.libraryVersion, caFile: nil,
        caFolder: nil)
    #else
      CurlLibrary.libraries(zlib: GzipCompressor.libraryVersion)
    #endif
  }
}
