// SPDX-License-Identifier: Apache-2.0

import AnoleModels
import AnoleNetworking
import AnoleStorage
import AnoleTracking

/// Delivers conversions of a visitor, and what an earlier run of the program could not deliver.
func deliver(
  _ goals: [Int64], of visitorCode: String, by requests: PlatformRequests,
  over transport: any HTTPTransport, folder: String
) async -> Delivery {
  let tracker = Tracker(
    settings: Tracker.Settings(userAgent: requests.userAgent.text),
    store: SQLiteStorage(SQLiteStorage.Configuration(folder: folder)), transport: transport,
    requests: { requests.tracking(body: $0) }, report: { print($0) })
  tracker.start()
  tracker.submit(goals.map { .conversion(goalID: $0) }, of: .visitorCode(visitorCode))
  let delivery = await tracker.flush()
  await tracker.close()
  return delivery
}
