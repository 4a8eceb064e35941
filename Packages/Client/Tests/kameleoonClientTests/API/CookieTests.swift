// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import kameleoonClient

/// A domain as it is given, and as the cookie has it.
struct DomainCase: Sendable, CustomTestStringConvertible {
  let given: String
  let expected: String
  init(_ given: String, _ expected: String) {
    self.given = given
    self.expected = expected
  }
  var testDescription: String { given.debugDescription }
}

let domainCases: [DomainCase] = [
  DomainCase("example.com", ".example.com"),
  DomainCase(".example.com", ".example.com"),
  DomainCase("..example.com", ".example.com"),
  DomainCase("shop.ex-ample.com", ".shop.ex-ample.com"),
  DomainCase("", ""),
  DomainCase(".", ""),
  DomainCase("example.com; Secure", ""),
  DomainCase("example.com\r\nSet-Cookie: a=b", ""),
  DomainCase("https://example.com", ""),
]

@Suite("The cookie with the visitor code")
struct CookieTests {
  @Test("name, attributes and a year by default")
  func header() {
    let cookie = VisitorCodeCookie(value: "abc123", domain: "example.com")
    #expect(VisitorCodeCookie.name == "kameleoonVisitorCode")
    #expect(cookie.value == "abc123" && cookie.path == "/" && cookie.secure)
    #expect(cookie.maxAgeSeconds == 31_536_000)
    #expect(
      cookie.setCookieHeaderValue
        == "kameleoonVisitorCode=abc123; Path=/; Domain=.example.com; Max-Age=31536000; Secure")
  }

  @Test("without a life time it lasts until the browser is closed")
  func session() {
    let cookie = VisitorCodeCookie(value: "a", domain: "example.com", maxAgeSeconds: nil)
    #expect(
      cookie.setCookieHeaderValue
        == "kameleoonVisitorCode=a; Path=/; Domain=.example.com; Secure")
  }

  @Test("the domain has a dot in front; what is no domain is left out", arguments: domainCases)
  func domains(_ row: DomainCase) {
    let cookie = VisitorCodeCookie(value: "a", domain: row.given)
    #expect(cookie.domain == row.expected)
    let header = cookie.setCookieHeaderValue
    #expect(header.contains("Domain=") == !row.expected.isEmpty)
    #expect(!header.contains("\r") && !header.contains("\n"))
  }

  @Test("characters that would end or break the header are encoded")
  func encoding() {
    let cookie = VisitorCodeCookie(value: "a b;c\r\né=\"%\u{1}", domain: "", maxAgeSeconds: nil)
    #expect(
      cookie.setCookieHeaderValue
        == "kameleoonVisitorCode=a%20b%3Bc%0D%0A%C3%A9%3D%22%25%01; Path=/; Secure")
  }

  @Test("a client hands out the cookie with its own code")
  func client() {
    let client = RecordingClient(visitorCode: "v1")
    #expect(
      client.visitorCodeCookie(domain: "example.com", maxAgeSeconds: 60)
        == VisitorCodeCookie(value: "v1", domain: "example.com", maxAgeSeconds: 60))
  }
}
