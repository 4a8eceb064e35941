// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)

  import CAnoleCurl

  /// The library as a whole.
  enum CurlLibrary {
    /// True if libcurl is ready.
    ///
    /// The first use initialises it, once per process, whatever the number of threads; it is never
    /// torn down, since the host may use libcurl too.
    static let isReady = curl_global_init(Int(CURL_GLOBAL_ALL)) == CURLE_OK

    /// What libcurl tells about itself.
    static func libraries(zlib: String) -> NetworkingLibraries {
      // Asking is safe on several threads only after the initialisation.
      _ = isReady
      // The form of 7.70, the first with the certificates.
      let form = CURLVERSION_SEVENTH
      let info = curl_version_info(form)?.pointee
      let isComplete = info.map { $0.age.rawValue >= form.rawValue } ?? false
      func text(_ pointer: UnsafePointer<CChar>?) -> String? {
        pointer.map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
      }
      return NetworkingLibraries(
        curl: text(info?.version), tls: text(info?.ssl_version),
        hasHTTP2: info.map { $0.features & Int32(CURL_VERSION_HTTP2) != 0 } ?? false, zlib: zlib,
        caFile: isComplete ? text(info?.cainfo) : nil,
        caFolder: isComplete ? text(info?.capath) : nil)
    }
  }

#endif
