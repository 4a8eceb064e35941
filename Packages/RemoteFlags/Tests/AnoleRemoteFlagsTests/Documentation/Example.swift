// SPDX-License-Identifier: Apache-2.0

import AnoleRemoteFlags
import AnoleStorage

/// A client for a program that runs in the foreground: it asks for flags at once and every hour.
func makeClient(_ applicationCode: String, folder: String) -> RemoteFlagsClient {
  let store = SQLiteStorage(SQLiteStorage.Configuration(folder: folder))
  var configuration = RemoteFlagsConfiguration(applicationCode: applicationCode, store: store)
  configuration.lifecycle = AlwaysActive()
  return RemoteFlagsClient(configuration)
}

/// How many items the new checkout shows; nil where the old one is to be shown.
func itemsOfNewCheckout(_ client: RemoteFlagsClient) -> Int64? {
  guard let flag = client.get("new_checkout"), flag.isEnabled else { return nil }
  client.logImpression(flag.key)
  return flag.integer(forProperty: "max_items", default: 3)
}
