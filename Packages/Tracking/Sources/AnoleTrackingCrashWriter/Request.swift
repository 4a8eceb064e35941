// SPDX-License-Identifier: Apache-2.0

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

/// Prints what it is to send.
private struct PrintingTransport: HTTPTransport {
  func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
    say("\(request.method.rawValue) \(request.url)")
    for field in request.headers.fields { say("\(field.name): \(field.value)") }
    say(String(decoding: request.body ?? [], as: UTF8.self))
    return HTTPResponse(status: 204)
  }

  func open(_ request: HTTPRequest) async throws(HTTPError) -> HTTPStream {
    throw HTTPError(code: .other, message: "nothing is opened here")
  }
}

/// Every kind of event, with numbers and letters that locales write in their own ways.
private let events: [TrackingEvent] = [
  .device(.desktop), .browser(Browser(type: .safari, version: 1_234.5)),
  .operatingSystem(.iOS),
  .geolocation(
    Geolocation(country: "I i İ ı", city: "กรุงเทพ", latitude: -0.000_001, longitude: 1_234.567)),
  .visits(previousCount: 1_234_567, timeSincePrevious: .milliseconds(1_700_000_000_250)),
  .customData(index: 1_000, values: ["٣", "1,5", "é"]),
  .pageView(url: "https://shop.example/?a=1", title: "I", referrers: [1_000, 2]),
  .experiment(experimentID: 1_234_567, variationID: -7), .targetedSegment(id: 1_000_000),
  .conversion(
    goalID: 77, revenue: 1_234_567.891,
    metadata: [ConversionMetadata(index: 1_000, values: ["I"])]),
  .conversion(goalID: 77, revenue: 1e21), .conversion(goalID: 77, revenue: .nan),
]

/// Sends all kinds of events at 2023-11-14T22:13:20.250Z, under the locale of the environment.
func printRequest() async {
  guard setlocale(LC_ALL, "") != nil else { return say("the locale is not installed") }
  tzset()
  let wallClock = WallClock { 1_700_000_000_250 }
  let requests = PlatformRequests(
    urls: PlatformURLs(
      siteCode: "s", identity: ClientIdentity(name: "SWIFT", version: "1.2.3")),
    userAgent: UserAgent(name: "Shop", version: "1.5", system: "iOS"))
  let tracker = Tracker(
    settings: Tracker.Settings(compression: .identity, userAgent: requests.userAgent.text),
    store: InMemoryStorage(wallClock: wallClock), transport: PrintingTransport(),
    requests: { requests.tracking(body: $0) }, wallClock: wallClock,
    nonces: CountingGenerator(following: 0xABCD_EF01))
  tracker.submit(events, of: .visitorCode("visitor 1,5"))
  await tracker.flush()
  await tracker.close()
}
