// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)

  import CAnoleCurl
  import Glibc

  /// One transfer's handle.
  ///
  /// It is used again and again, and confined to the loop's thread.
  final class CurlEasy {
    /// What becomes of a piece of the body.
    enum Verdict {
      case accept
      /// libcurl keeps the piece and stops reading until ``CurlEasy/resume()``.
      case pause
      case abort
    }

    let handle: UnsafeMutableRawPointer
    /// The transfer that receives what arrives.
    var transfer: CurlTransfer?

    private let settings: CurlSettings
    fileprivate var isPaused = false
    private let failure: UnsafeMutablePointer<CChar>
    private var headers: UnsafeMutablePointer<curl_slist>?

    init?(_ settings: CurlSettings) {
      guard let handle = curl_easy_init() else { return nil }
      self.handle = handle
      self.settings = settings
      failure = .allocate(capacity: Int(CURL_ERROR_SIZE))
      failure.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
      guard setUp() else { return nil }
    }

    deinit {
      curl_easy_cleanup(handle)
      curl_slist_free_all(headers)
      failure.deallocate()
    }

    /// The object behind a handle.
    static func of(_ handle: UnsafeMutableRawPointer) -> CurlEasy? {
      var pointer: UnsafeMutableRawPointer?
      guard anole_curl_get_pointer(handle, CURLINFO_PRIVATE, &pointer) == CURLE_OK, let pointer
      else { return nil }
      return Unmanaged<CurlEasy>.fromOpaque(pointer).takeUnretainedValue()
    }

    /// libcurl's words for the last failure.
    var failureText: String { String(cString: failure) }

    /// Forgets the last transfer.
    ///
    /// That is more than its options: libcurl counts how often it replaced a kept connection that had
    /// died, and gives up at the sixth time in the life of a handle.
    ///
    /// - Returns: False for want of memory.
    func reset() -> Bool {
      curl_easy_reset(handle)
      return setUp()
    }

    /// Puts a request in place of the one before.
    ///
    /// - Returns: False for want of memory.
    func prepare(_ request: OutgoingRequest) -> Bool {
      let proxies = settings.proxy
      let proxy = request.address.isSecure ? proxies.https : proxies.http
      failure.pointee = 0
      isPaused = false
      guard set(CURLOPT_URL, request.address.text),
        // Empty means none; without the option libcurl would look at the environment.
        set(CURLOPT_PROXY, proxy ?? ""),
        setBody(request), setHeaders(request)
      else { return false }
      return true
    }

    /// Goes on reading after ``Verdict/pause``.
    func resume() -> CurlOutcome {
      isPaused = false
      return CurlOutcome(curl_easy_pause(handle, CURLPAUSE_CONT))
    }

    /// Lets the connection end with the transfer, unless others use it.
    ///
    /// The end of a stream of HTTP/2 is not sent before the connection is used again, by libcurl 7.88 at
    /// least: without this the server would go on with what nobody reads.
    func endConnection() {
      _ = set(CURLOPT_FORBID_REUSE, 1)
    }

    /// Makes libcurl send what it has queued on the connection, such as the end of another stream.
    func flush() {
      // When it goes on, that is sent too.
      guard !isPaused else { return }
      // Whatever fails here is reported by the transfer itself, which had no data waiting.
      _ = curl_easy_pause(handle, CURLPAUSE_RECV)
      _ = curl_easy_pause(handle, CURLPAUSE_CONT)
    }

    // MARK: - Options

    private func setUp() -> Bool {
      let this = Unmanaged.passUnretained(self).toOpaque()
      anole_curl_leave_resolver(handle)
      return set(CURLOPT_PRIVATE, pointer: this)
        && set(CURLOPT_ERRORBUFFER, pointer: failure)
        && setCallbacks(this)
        && anole_curl_restrict_protocols(handle) == CURLE_OK
        && set(CURLOPT_NOSIGNAL, 1)
        && set(CURLOPT_PATH_AS_IS, 1)
        && set(CURLOPT_FOLLOWLOCATION, 0)
        && set(CURLOPT_TCP_KEEPALIVE, 1)
        && set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        && set(CURLOPT_HEADEROPT, Int(CURLHEADER_SEPARATE))
        && set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
        // The driver keeps time: libcurl does not watch transfers that wait for a connection.
        && set(CURLOPT_CONNECTTIMEOUT_MS, Int(Int32.max))
        && set(CURLOPT_USERAGENT, settings.userAgent)
        && set(CURLOPT_NOPROXY, settings.proxy.exceptions)
        && set(CURLOPT_SSL_VERIFYPEER, 1)
        && set(CURLOPT_SSL_VERIFYHOST, 2)
        && set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        && (settings.caFile.map { set(CURLOPT_CAINFO, $0) } ?? true)
    }

    private func setCallbacks(_ this: UnsafeMutableRawPointer) -> Bool {
      anole_curl_set_write_callback(handle, CURLOPT_WRITEFUNCTION, receiveBody) == CURLE_OK
        && set(CURLOPT_WRITEDATA, pointer: this)
        && anole_curl_set_write_callback(handle, CURLOPT_HEADERFUNCTION, receiveHeader) == CURLE_OK
        && set(CURLOPT_HEADERDATA, pointer: this)
        && anole_curl_set_open_socket_callback(handle, openSocket) == CURLE_OK
        && set(CURLOPT_OPENSOCKETDATA, pointer: this)
        && anole_curl_set_resolver_start_callback(handle, startResolving) == CURLE_OK
        && set(CURLOPT_RESOLVER_START_DATA, pointer: this)
        && anole_curl_set_prerequest_callback(handle, startSending) == CURLE_OK
        && set(CURLOPT_PREREQDATA, pointer: this)
    }

    private func setBody(_ request: OutgoingRequest) -> Bool {
      guard request.method == .post else {
        // libcurl keeps the copy of the last body until it gets another.
        return anole_curl_set_string(handle, CURLOPT_COPYPOSTFIELDS, nil) == CURLE_OK
          && set(CURLOPT_HTTPGET, 1)
      }
      let body = request.body ?? []
      guard set(CURLOPT_POST, 1),
        anole_curl_set_offset(handle, CURLOPT_POSTFIELDSIZE_LARGE, numericCast(body.count))
          == CURLE_OK
      else { return false }
      guard !body.isEmpty else { return set(CURLOPT_COPYPOSTFIELDS, "") }
      return body.withUnsafeBytes { bytes in
        // Copied by this call, up to the size given above.
        set(CURLOPT_COPYPOSTFIELDS, pointer: UnsafeMutableRawPointer(mutating: bytes.baseAddress))
      }
    }

    private func setHeaders(_ request: OutgoingRequest) -> Bool {
      var list: UnsafeMutablePointer<curl_slist>?
      func append(_ line: String) -> Bool {
        guard let longer = curl_slist_append(list, line) else { return false }
        list = longer
        return true
      }
      func has(_ name: String) -> Bool {
        request.headers.contains { ASCIIText.lowercased($0.name) == name }
      }
      var isComplete = append("Expect:")
      // Not by libcurl's own option: it hands out a body that ends early as if it were whole.
      if !has("accept-encoding") {
        isComplete = isComplete && append("Accept-Encoding: gzip, deflate")
      }
      if request.method == .post, !has("content-type") {
        // Without this libcurl calls every body a form.
        isComplete = isComplete && append("Content-Type:")
      }
      for field in request.headers {
        // A semicolon is libcurl's way to write a field with an empty value.
        let line = field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)"
        isComplete = isComplete && append(line)
      }
      guard isComplete, anole_curl_set_list(handle, CURLOPT_HTTPHEADER, list) == CURLE_OK else {
        curl_slist_free_all(list)
        return false
      }
      curl_slist_free_all(headers)
      headers = list
      return true
    }

    private func set(_ option: CURLoption, _ value: Int) -> Bool {
      anole_curl_set_long(handle, option, value) == CURLE_OK
    }

    private func set(_ option: CURLoption, _ value: String) -> Bool {
      anole_curl_set_string(handle, option, value) == CURLE_OK
    }

    private func set(_ option: CURLoption, pointer: UnsafeMutableRawPointer?) -> Bool {
      anole_curl_set_pointer(handle, option, pointer) == CURLE_OK
    }
  }

  // MARK: - Callbacks, all on the loop's thread

  private func transfer(of context: UnsafeMutableRawPointer?) -> CurlTransfer? {
    guard let context else { return nil }
    return Unmanaged<CurlEasy>.fromOpaque(context).takeUnretainedValue().transfer
  }

  private func receiveBody(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
    _ context: UnsafeMutableRawPointer?
  ) -> Int {
    let piece = UnsafeRawBufferPointer(start: bytes, count: size * count)
    let transfer = transfer(of: context)
    switch transfer?.receive(body: piece) ?? .abort {
    case .accept: return piece.count
    case .pause:
      transfer?.easy?.isPaused = true
      return Int(CURL_WRITEFUNC_PAUSE)
    case .abort:
      transfer?.easy?.endConnection()
      return piece.isEmpty ? 1 : 0
    }
  }

  private func receiveHeader(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
    _ context: UnsafeMutableRawPointer?
  ) -> Int {
    let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
    let transfer = transfer(of: context)
    if transfer?.receive(header: line) == true { return line.count }
    transfer?.easy?.endConnection()
    return 0
  }

  private func startResolving(
    _ state: UnsafeMutableRawPointer?, _ reserved: UnsafeMutableRawPointer?,
    _ context: UnsafeMutableRawPointer?
  ) -> Int32 {
    transfer(of: context)?.reached(.resolving)
    return 0
  }

  private func openSocket(
    _ context: UnsafeMutableRawPointer?, _ purpose: curlsocktype,
    _ address: UnsafeMutablePointer<curl_sockaddr>?
  ) -> curl_socket_t {
    guard let address = address?.pointee else { return -1 }
    transfer(of: context)?.reached(.connecting)
    // Children that the host starts must not inherit our connections.
    let type = address.socktype | Int32(SOCK_CLOEXEC.rawValue)
    return socket(address.family, type, address.protocol)
  }

  private func startSending(
    _ context: UnsafeMutableRawPointer?, _ remote: UnsafeMutablePointer<CChar>?,
    _ local: UnsafeMutablePointer<CChar>?, _ remotePort: Int32, _ localPort: Int32
  ) -> Int32 {
    transfer(of: context)?.reached(.sending)
    return CURL_PREREQFUNC_OK
  }

#endif
