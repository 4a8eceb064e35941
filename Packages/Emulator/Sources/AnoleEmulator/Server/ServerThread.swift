// SPDX-License-Identifier: Apache-2.0

import Dispatch

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The thread that runs a server.
final class ServerThread {
  private let server: Server
  private let core: Core
  private let finished: DispatchGroup

  init(_ server: Server, core: Core, finished: DispatchGroup) {
    self.server = server
    self.core = core
    self.finished = finished
  }

  /// Starts the thread, to which the server belongs from then on; false if the system refuses.
  func start() -> Bool {
    var thread = pthread_t()
    let retained = Unmanaged.passRetained(self)
    let status = pthread_create(
      &thread, nil,
      { context in
        guard let context else { return nil }
        Unmanaged<ServerThread>.fromOpaque(context).takeRetainedValue().run()
        return nil
      }, retained.toOpaque())
    guard status == 0 else {
      retained.release()
      return false
    }
    pthread_detach(thread)
    return true
  }

  private func run() {
    // The thread takes no signals: not those of the application, nor that of a broken connection.
    var all = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, nil)
    server.run()
    core.stopped()
    finished.leave()
  }
}
