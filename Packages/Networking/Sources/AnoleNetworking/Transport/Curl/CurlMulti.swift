// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)

  import CAnoleCurl

  /// Wakes the thread that waits in ``CurlMulti/poll(milliseconds:)``.
  ///
  /// - Note: `@unchecked Sendable` is needed because a C pointer crosses threads. It is safe because the
  ///   only call made with it, `curl_multi_wakeup`, is documented as safe from any thread, and its owner
  ///   (``CurlLoop``) drops the value under its lock before the handle is freed.
  struct CurlWaker: @unchecked Sendable {
    private let handle: UnsafeMutableRawPointer

    fileprivate init(handle: UnsafeMutableRawPointer) {
      self.handle = handle
    }

    func wake() {
      // Fails only if the wake-up is pending already.
      _ = curl_multi_wakeup(handle)
    }
  }

  /// A set of transfers over one pool of connections.
  ///
  /// Confined to one thread.
  struct CurlMulti: ~Copyable {
    private let handle: UnsafeMutableRawPointer

    /// - Parameter maximumConnections: How many connections are kept, busy or not.
    init?(maximumConnections: Int) {
      guard let handle = curl_multi_init() else { return nil }
      self.handle = handle
      set(CURLMOPT_MAXCONNECTS, maximumConnections)
    }

    deinit {
      curl_multi_cleanup(handle)
    }

    var waker: CurlWaker { CurlWaker(handle: handle) }

    func add(_ easy: CurlEasy) -> Bool {
      curl_multi_add_handle(handle, easy.handle) == CURLM_OK
    }

    func remove(_ easy: CurlEasy) {
      curl_multi_remove_handle(handle, easy.handle)
    }

    /// Reads and writes what is possible without waiting.
    func perform() {
      var running: Int32 = 0
      curl_multi_perform(handle, &running)
    }

    /// Takes one transfer that has ended.
    func nextDone() -> (easy: CurlEasy, outcome: CurlOutcome)? {
      var easyHandle: UnsafeMutableRawPointer?
      var code = CURLE_OK
      while anole_curl_multi_next_done(handle, &easyHandle, &code) {
        if let easyHandle, let easy = CurlEasy.of(easyHandle) { return (easy, CurlOutcome(code)) }
      }
      return nil
    }

    /// Waits for a socket, a timer of libcurl, a wake-up, or the given time.
    ///
    /// - Returns: False if waiting failed, for want of memory.
    func poll(milliseconds: Int32) -> Bool {
      curl_multi_poll(handle, nil, 0, milliseconds, nil) == CURLM_OK
    }

    private func set(_ option: CURLMoption, _ value: Int) {
      _ = anole_curl_multi_set_long(handle, option, value)
    }
  }

#endif
