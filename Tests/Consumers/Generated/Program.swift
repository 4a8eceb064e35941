// SPDX-License-Identifier: Apache-2.0

import AnoleTesting
import Foundation
import kameleoonClient

/// Checks the generated code of every data file; the folder of the data files is the only argument.
@main
struct Program {
  static func main() async throws {
    let checks = Checks()
    try await checkAll(checks, folder: CommandLine.arguments[1])
    checkHostileFlagsKeys(checks)
    try checkShop(checks)
    try await checkChanges(checks)
    for failure in checks.failures { print(failure) }
    print("\(checks.failures.count) of \(checks.count) checks failed")
    exit(checks.failures.isEmpty ? 0 : 1)
  }

  private static func checkShop(_ checks: Checks) throws {
    checks.place = "shop"
    let client = InMemoryClient()
    checks.same(button(for: client), "Buy", "the title without any flag")
    checks.check(client.record.exposures.isEmpty, "nothing is served, nothing reported")
    do {
      _ = try Flags.Checkout(reading: client)
      checks.check(false, "a flag that is not there does not throw")
    } catch KameleoonError.Feature.notFound(let key) {
      checks.same(key, "checkout", "the key of the error")
    }

    client.set("checkout", key: "two_steps", variables: ["steps": 2, "title": "Nearly"])
    checks.same(button(for: client), "Nearly (2 steps)", "the title of two steps")
    checks.same(client.record.exposures.count, 1, "the exposures")
    checks.same(client.flags.checkout(track: false).isActive, true, "two steps are active")
    checks.same(client.record.exposures.count, 1, "the exposures with track: false")

    let document = ["columns": 2, "guest": true] as [String: any Sendable]
    client.set("checkout", key: "one_page", variables: ["title": "Pay now", "layout": document])
    let checkout = client.flags.checkout()
    checks.same(button(for: client), "Pay now", "the title of one page")
    checks.same(checkout.steps, 3, "steps without a value in the variation")
    checks.same(try layout(for: client), Layout(columns: 2, guest: true), "the layout")

    let made = Flags.Checkout(variation: .onePage, title: "Pay now", layout: checkout.layout)
    checks.same(made, checkout, "a value that was made by hand")
    client.set("checkout", key: "two_steps", variables: ["steps": "two", "title": 7])
    checks.same(client.flags.checkout().steps, 3, "steps of another type")
    checks.same(client.flags.checkout().title, "Checkout", "a title of another type")
    client.set("checkout", key: "two_steps", variables: ["steps": 4.0])
    checks.same(client.flags.checkout().steps, 4, "steps that are whole")
    client.set("checkout", key: "two_steps", variables: ["steps": 4.5])
    checks.same(client.flags.checkout().steps, 3, "steps that are not whole")
  }

  private static func checkChanges(_ checks: Checks) async throws {
    checks.place = "changes"
    let client = InMemoryClient()
    client.set("checkout", key: "off")
    var changes = Flags.Checkout.changes(in: client).makeAsyncIterator()
    checks.same(await changes.next()?.variation, .off, "the first variation")
    client.set("checkout", key: "one_page")
    checks.same(await changes.next()?.variation, .onePage, "the second variation")
    await client.close()
    checks.check(await changes.next() == nil, "the sequence ends with the client")
  }
}

/// Checks that a variation of the data file is a case of its own, which keeps its key.
func checkVariation<Variation: HostileFlags.FlagVariation>(
  _ type: Variation.Type, _ key: [UInt8], _ checks: Checks
) {
  let variation = Variation(key: String(decoding: key, as: UTF8.self))
  checks.bytes(variation.key, key, "the key of a variation")
  checks.check(!"\(variation)".hasPrefix("other("), "\(variation) has no case")
  checks.check(variation == Variation(key: variation.key), "\(variation) is not itself")
}
