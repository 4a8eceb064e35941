// SPDX-License-Identifier: Apache-2.0

// A process for the tests of AnoleStorage. It prints a line for each change only after the store has
// confirmed it, and it is meant to be killed.
//
//     AnoleStorageCrashWriter write FOLDER NAME    writes without end
//     AnoleStorageCrashWriter claim FOLDER         claims and acknowledges until the outbox is empty

import AnoleConcurrency
import AnoleStorage

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

func say(_ line: String) {
  var line = line + "\n"
  // A reader that has gone ends the process by a signal, which is what a test wants.
  _ = line.withUTF8 { write(1, $0.baseAddress, $0.count) }
}

/// Bytes from which a reader can tell whether they are whole: the name, the number and a filling of both.
func body(_ name: String, _ number: Int) -> [UInt8] {
  Array("\(name):\(number):".utf8)
    + Array(repeating: UInt8(truncatingIfNeeded: number), count: number &* 37 % 700)
}

func writeWithoutEnd(_ store: SQLiteStorage, name: String) {
  var number = 0
  while true {
    let items = (0...number % 4).map { offset in
      OutboxItem(
        body: body(name, number + offset), group: name, acceptedAt: WallClock.system.milliseconds)
    }
    guard store.append(items) == .durable else { return say("memory") }
    for offset in items.indices { say("item \(name) \(number + offset)") }
    let value = body(name, number)
    let changes: [RecordChange] = [
      .write(namespace: "left", key: name, value: value),
      .write(namespace: "right", key: name, value: value),
    ]
    guard store.apply(changes) == .durable else { return say("memory") }
    say("record \(name) \(number)")
    number += items.count
  }
}

func claimAll(_ store: SQLiteStorage) {
  while true {
    let claim = store.claim(upTo: 7, bytes: 1 << 20, lease: .seconds(600))
    if claim.isEmpty { return }
    for item in claim.items { say(String(decoding: item.content.body, as: UTF8.self)) }
    guard store.acknowledge(claim.receipts) == .durable else { return say("memory") }
  }
}

let arguments = CommandLine.arguments
guard arguments.count > 2 else { exit(64) }
var configuration = SQLiteStorage.Configuration(folder: arguments[2])
configuration.durability = .normal
configuration.busyTimeout = .seconds(30)
configuration.report = { say("report \($0)") }
let store = SQLiteStorage(configuration)
switch arguments[1] {
case "write" where arguments.count == 4: writeWithoutEnd(store, name: arguments[3])
case "claim": claimAll(store)
default: exit(64)
}
