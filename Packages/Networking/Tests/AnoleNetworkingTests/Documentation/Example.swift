// SPDX-License-Identifier: Apache-2.0

import AnoleNetworking

/// Delivers lines, compressed, with a second attempt after 5 s.
func deliver(_ lines: [String], over transport: any HTTPTransport) async throws {
  let body = try Gzip.compress(Array(lines.joined(separator: "\n").utf8))
  var request = HTTPRequest(method: .post, url: "https://data.example.com/lines", body: body)
  request.headers["Content-Encoding"] = "gzip"
  _ = try await RequestSender(transport: transport).send(request, policy: .tracking)
}

/// Calls `refresh` once for every update, and once whenever updates may have been missed.
func follow(_ stream: EventSource, refresh: () async -> Void) async {
  stream.start()
  for await update in stream.updates {
    switch update {
    case .event(let event) where event.type == "update": await refresh()
    case .connected(afterLoss: true): await refresh()
    default: break
    }
  }
}
