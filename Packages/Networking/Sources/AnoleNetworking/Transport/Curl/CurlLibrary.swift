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
  }

#endif
