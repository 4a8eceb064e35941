// SPDX-License-Identifier: Apache-2.0

// What an application writes with the code that is generated for the built-in shop of demo-cli.

// [application]
import kameleoonClient

struct Layout: Decodable, Equatable {
  let columns: Int
  let guest: Bool
}

func button(for client: any KameleoonClient) -> String {
  let checkout = client.flags.checkout()
  switch checkout.variation {
  case .off, .other: return "Buy"
  case .twoSteps: return "\(checkout.title) (\(checkout.steps) steps)"
  case .onePage: return checkout.title
  }
}
// [/application]

nonisolated func layout(for client: any KameleoonClient) throws -> Layout? {
  try Flags.Checkout(reading: client, track: false).layout?.decode()
}
