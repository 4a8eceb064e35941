// SPDX-License-Identifier: Apache-2.0

import AnoleEmulator

/// Lets `client` fetch its data file from a platform that is busy at first; returns the statuses it got.
func fetchTwice(client: (String) async throws -> Void) async throws -> [Int?] {
  let emulator = Emulator()
  emulator.setDataFile(#"{"featureFlags": []}"#, lastModified: "Mon, 24 Nov 2025 16:00:00 GMT")
  emulator.addFault(.status(503, headers: [HeaderField("Retry-After", "5")]), on: .dataFile)
  try emulator.start()
  defer { emulator.stop() }
  for _ in 1...2 { try await client("\(emulator.baseURL ?? "")/v3/tstsite001") }
  return try await emulator.waitForRequests(count: 2, route: .dataFile).map(\.status)
}
