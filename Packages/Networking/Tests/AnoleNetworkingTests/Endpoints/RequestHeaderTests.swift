// SPDX-License-Identifier: Apache-2.0

import AnoleNetworking
import Testing

struct UserAgentCase: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let agent: UserAgent
  init(_ expected: String, _ agent: UserAgent) {
    testDescription = expected
    self.agent = agent
  }
}

let userAgentCases: [UserAgentCase] = [
  UserAgentCase(
    "Shop/2.1 (iPhone14,2; iOS 17.1)",
    UserAgent(
      name: "Shop", version: "2.1", model: "iPhone14,2", system: "iOS", systemVersion: "17.1")),
  UserAgentCase("Shop", UserAgent(name: "Shop")),
  UserAgentCase("app", UserAgent(name: "")),
  UserAgentCase("app/1", UserAgent(name: "  ", version: "1")),
  UserAgentCase("My-Shop/1 (Linux)", UserAgent(name: "My Shop", version: "1", system: "Linux")),
  UserAgentCase("a (x86 64)", UserAgent(name: "a", model: " x86 64 ")),
  UserAgentCase("Caf-/1-2", UserAgent(name: "Café", version: "1/2")),
  UserAgentCase("-- (-- -; -)", UserAgent(name: "世界", model: "() ;", system: "\u{0}")),
  UserAgentCase("a--X--b", UserAgent(name: "a\r\nX: b")),
]

@Suite("Headers of requests")
struct RequestHeaderTests {
  private let requests = PlatformRequests(
    urls: PlatformURLs(siteCode: "s", identity: ClientIdentity(name: "N", version: "1.2.3")),
    userAgent: UserAgent(name: "App", version: "1"), timeout: .milliseconds(1_500))

  private func headers(_ request: HTTPRequest) -> [String] {
    request.headers.fields.map { "\($0.name): \($0.value)" }
  }

  @Test("the text of User-Agent is plain and complete", arguments: userAgentCases)
  func userAgent(_ row: UserAgentCase) {
    #expect(row.agent.text == row.testDescription)
  }

  @Test("the data file is asked for with name, version and conditions")
  func configuration() {
    #expect(
      headers(requests.configuration()) == [
        "User-Agent: App/1", "X-Kameleoon-SDK-Type: N", "X-Kameleoon-SDK-Version: 1.2.3",
      ])
    let validators = CacheValidators(lastModified: "any Text, unchanged", entityTag: "W/\"x\"")
    let request = requests.configuration(timestamp: 5, validators: validators)
    #expect(
      headers(request).suffix(2) == [
        "If-Modified-Since: any Text, unchanged", "If-None-Match: W/\"x\"",
      ])
    #expect(request.headers["ETag"] == nil)
    #expect(request.timeout == .milliseconds(1_500))
  }

  @Test("the event stream has no limit as a whole")
  func events() {
    let request = requests.events()
    #expect(
      headers(request).dropFirst() == [
        "Accept: text/event-stream", "Cache-Control: no-cache", "Connection: Keep-Alive",
      ])
    #expect(request.timeout == nil)
  }

  @Test("tracking and data requests carry no more than they need")
  func data() {
    let tracking = requests.tracking(body: [1])
    #expect(headers(tracking) == ["User-Agent: App/1", "Content-Type: */*"])
    #expect(tracking.method == .post)
    #expect(tracking.body == [1])
    #expect(headers(requests.mapData(key: "k")) == ["User-Agent: App/1"])
    #expect(requests.mapData(key: "k", timeout: .seconds(2)).timeout == .seconds(2))
    let query = VisitorDataQuery(visitorCode: "v")
    #expect(headers(requests.visitorData(query)) == ["User-Agent: App/1"])
    #expect(requests.visitorData(query, timeout: .seconds(3)).timeout == .seconds(3))
  }

  @Test("recorded values of Authorization for token requests")
  func basicAuthorization() throws {
    struct Row: Decodable {
      let clientId: String
      let clientSecret: String
      let header: String
    }
    for row in try FixtureFile.cases(Row.self, in: "basic_authorization") {
      let credentials = try #require(
        ClientCredentials(id: row.clientId, secret: row.clientSecret))
      #expect(credentials.basicAuthorization == row.header)
      let request = requests.accessToken(credentials)
      #expect(request.headers["Authorization"] == row.header)
      #expect(request.body == Array("grant_type=client_credentials".utf8))
      #expect("\(credentials)" == "credentials")
    }
  }

  @Test("half credentials are none")
  func halfCredentials() {
    #expect(ClientCredentials(id: nil, secret: "s") == nil)
    #expect(ClientCredentials(id: "i", secret: "") == nil)
  }
}
