// SPDX-License-Identifier: Apache-2.0

// A process for the tests of AnoleTracking, which is measured, or killed at any point.
//
//     AnoleTrackingCrashWriter produce FOLDER PORT FIRST END   accepts events with the nonces from FIRST
//                                                              up to END, and sends
//     AnoleTrackingCrashWriter flood FOLDER PORT COUNT         accepts COUNT events as fast as it can
//     AnoleTrackingCrashWriter request                         prints a request under the locale and time
//                                                              zone of the environment
//     AnoleTrackingCrashWriter lock FOLDER                     locks the store against writers until a
//                                                              line arrives

import AnoleConcurrency
import AnoleModels
import AnoleNetworking
import AnoleStorage
import AnoleTracking

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Writes a line at once: what was written before a kill was written.
func say(_ line: String) {
  var line = line + "\n"
  // A reader that has gone ends the process by a signal, which is what a test wants.
  _ = line.withUTF8 { write(1, $0.baseAddress, $0.count) }
}

/// Nonces in known order.
struct CountingGenerator: RandomNumberGenerator, Sendable {
  var following: UInt64

  mutating func next() -> UInt64 {
    defer { following += 1 }
    return following
  }
}

func makeTracker(folder: String, port: Int, firstNonce: UInt64) -> Tracker {
  var configuration = SQLiteStorage.Configuration(folder: folder)
  configuration.durability = .normal
  configuration.busyTimeout = .seconds(30)
  configuration.report = { say("report \($0)") }
  let transport = CurlTransport(CurlTransport.Configuration(proxy: .none))
  let requests = PlatformRequests(
    urls: PlatformURLs(
      siteCode: "s", identity: ClientIdentity(name: "SWIFT", version: "1.2.3"),
      overrides: [.tracking: EndpointAddress(port: port)]),
    userAgent: UserAgent(name: "Shop", version: "1"))
  return Tracker(
    store: SQLiteStorage(configuration), transport: transport,
    requests: { requests.tracking(body: $0) }, nonces: CountingGenerator(following: firstNonce))
}

/// Takes the lock that SQLite's writers take: one byte of the index of the log.
func lock(_ folder: String) {
  let writersLock: off_t = 120
  let file = open(folder + "/anole.sqlite-shm", O_RDWR)
  var region = flock()
  region.l_type = Int16(F_WRLCK)
  region.l_start = writersLock
  region.l_len = 1
  guard file >= 0, fcntl(file, F_SETLKW, &region) == 0 else { return say("failed") }
  say("locked")
  _ = readLine()
}

let arguments = CommandLine.arguments
let numbers = arguments.dropFirst(3).compactMap { Int($0) }
switch (arguments.count, arguments.dropFirst().first) {
case (2, "request"):
  await printRequest()
  exit(0)
case (3, "lock"):
  lock(arguments[2])
  exit(0)
default: break
}
guard arguments.count > 3, let port = numbers.first else { exit(64) }
switch (arguments[1], numbers.count) {
case ("produce", 3):
  await produce(
    makeTracker(folder: arguments[2], port: port, firstNonce: UInt64(numbers[1])),
    nonces: numbers[1]..<numbers[2])
case ("flood", 2):
  await flood(makeTracker(folder: arguments[2], port: port, firstNonce: 1), count: numbers[1])
default: exit(64)
}
