// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)

  import CAnoleCurl

  /// How libcurl says that a transfer ended.
  struct CurlOutcome {
    private let code: CURLcode

    init(_ code: CURLcode) {
      self.code = code
    }

    var isSuccess: Bool { code == CURLE_OK }

    /// The error of a transfer that failed.
    ///
    /// - Parameters:
    ///   - origin: Scheme, host and port that were asked.
    ///   - detail: libcurl's own words. Used where they name no more than host and certificate.
    ///   - wasSent: True once the connection stood.
    ///   - hasHead: True once the head was read.
    func error(origin: String, detail: String, wasSent: Bool, hasHead: Bool) -> HTTPError {
      let kind = kind(wasSent: wasSent, hasHead: hasHead)
      var text = String(cString: curl_easy_strerror(code))
      let mayQuote: [HTTPError.Code] = [.resolveFailed, .connectFailed, .tlsFailed]
      if mayQuote.contains(kind), !detail.isEmpty { text = detail }
      return HTTPError(code: kind, message: "\(origin): \(text)")
    }

    private func kind(wasSent: Bool, hasHead: Bool) -> HTTPError.Code {
      switch code {
      case CURLE_URL_MALFORMAT, CURLE_BAD_FUNCTION_ARGUMENT:
        .invalidRequest
      case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY:
        .resolveFailed
      case CURLE_COULDNT_CONNECT, CURLE_PROXY, CURLE_INTERFACE_FAILED:
        .connectFailed
      case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE,
        CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER, CURLE_SSL_ENGINE_INITFAILED,
        CURLE_SSL_ISSUER_ERROR, CURLE_SSL_CRL_BADFILE, CURLE_SSL_INVALIDCERTSTATUS,
        CURLE_SSL_CLIENTCERT, CURLE_USE_SSL_FAILED, CURLE_SSL_SHUTDOWN_FAILED:
        .tlsFailed
      case CURLE_OPERATION_TIMEDOUT:
        .timedOut
      case CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_GOT_NOTHING, CURLE_PARTIAL_FILE,
        CURLE_HTTP2, CURLE_HTTP2_STREAM, CURLE_AGAIN, CURLE_SEND_FAIL_REWIND:
        // Nothing but a proxy's refusal to tunnel is read before a request is sent.
        wasSent ? .connectionLost : .connectFailed
      case CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING, CURLE_UNSUPPORTED_PROTOCOL:
        .malformedAnswer
      case CURLE_OUT_OF_MEMORY:
        // libcurl says so of a header line beyond its own limit.
        wasSent && !hasHead ? .malformedAnswer : .other
      case CURLE_FILESIZE_EXCEEDED:
        .bodyTooLarge
      case CURLE_TOO_MANY_REDIRECTS:
        .tooManyRedirects
      default:
        .other
      }
    }
  }

#endif
