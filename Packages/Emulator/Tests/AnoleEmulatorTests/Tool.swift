// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
  import Glibc
#endif

/// Runs a command of the system and returns what it writes.
///
/// - Parameters:
///   - input: What it reads.
/// - Throws: ``WireError`` if it cannot be started or fails.
func runTool(
  _ name: String, _ arguments: [String], input: [UInt8] = []
) throws -> [UInt8] {
  // A socket is never, not for a moment, inherited by the children of other tests, as a pipe is.
  var ends: [Int32] = [-1, -1]
  let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
  guard socketpair(AF_UNIX, type, 0, &ends) == 0 else {
    throw WireError(message: "there is no socket for \(name)")
  }
  let near = ends[0]
  defer { close(near) }
  let process = try spawn([name] + arguments, socket: ends[1])
  let output = converse(over: near, sending: input)
  var status: Int32 = 0
  waitpid(process, &status, 0)
  guard status == 0 else { throw WireError(message: "\(name) \(arguments): status \(status)") }
  return output
}

/// Starts a program that reads from a socket and writes to it; closes the socket.
private func spawn(_ arguments: [String], socket: Int32) throws -> pid_t {
  defer { close(socket) }
  var actions = posix_spawn_file_actions_t()
  posix_spawn_file_actions_init(&actions)
  defer { posix_spawn_file_actions_destroy(&actions) }
  posix_spawn_file_actions_adddup2(&actions, socket, 0)
  posix_spawn_file_actions_adddup2(&actions, socket, 1)
  posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
  var texts = arguments.map { strdup($0) }
  defer { for text in texts { free(text) } }
  texts.append(nil)
  var process = pid_t()
  guard posix_spawnp(&process, arguments[0], &actions, nil, texts, environ) == 0 else {
    throw WireError(message: "\(arguments[0]) cannot be started")
  }
  return process
}

/// Sends everything and reads to the end, both at once; what a program does not want is not sent.
private func converse(over socket: Int32, sending input: [UInt8]) -> [UInt8] {
  var (sent, output, isSending) = (0, [UInt8](), true)
  var buffer = [UInt8](repeating: 0, count: 65_536)
  while true {
    if isSending, sent == input.count {
      shutdown(socket, Int32(SHUT_WR))
      isSending = false
    }
    let events = Int16(POLLIN) | (isSending ? Int16(POLLOUT) : 0)
    var polled = pollfd(fd: socket, events: events, revents: 0)
    guard poll(&polled, 1, -1) > 0 else { return output }
    if isSending, polled.revents & Int16(POLLOUT) != 0 {
      let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
      let count = input[sent...].withUnsafeBytes { send(socket, $0.baseAddress, $0.count, flags) }
      if count > 0 { sent += count } else if errno != EAGAIN { isSending = false }
    }
    guard polled.revents & ~Int16(POLLOUT) != 0 else { continue }
    let count = recv(socket, &buffer, buffer.count, 0)
    guard count > 0 else { return output }
    output += buffer[..<count]
  }
}
