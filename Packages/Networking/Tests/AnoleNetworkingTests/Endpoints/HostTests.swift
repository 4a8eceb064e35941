// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleNetworking
import Testing

private struct HostVector: Decodable {
  let networkDomain: String?
  let dataApiDomain: String?
  let hosts: [String: String]
}

private struct DomainVector: Decodable {
  let input: String?
  let effective: String?
}

@Suite("Hosts and domains")
struct HostTests {
  @Test("recorded pairs of networkDomain and dataApiDomain")
  func hosts() throws {
    for row in try FixtureFile.cases(HostVector.self, in: "hosts") {
      var hosts = PlatformHosts(networkDomain: NetworkDomain.read(row.networkDomain).domain)
      let isApplied = hosts.apply(dataApiDomain: row.dataApiDomain)
      #expect(isApplied)
      let found = [
        "configuration": hosts.configuration, "data": hosts.data,
        "events": "\(hosts.events):\(PlatformHosts.eventsPort)", "accessToken": hosts.accessToken,
      ]
      #expect(found == row.hosts)
    }
  }

  @Test("recorded values of networkDomain")
  func networkDomains() throws {
    for row in try FixtureFile.cases(DomainVector.self, in: "network_domain") {
      let reading = NetworkDomain.read(row.input)
      #expect(reading.domain?.name == row.effective, "\(row.input ?? "nil")")
      let isGiven = !(row.input ?? "").isEmpty
      let hasScheme = row.input?.contains("://") ?? false
      switch reading.diagnostic {
      case nil: #expect(row.effective != nil ? !hasScheme : !isGiven)
      case .schemeRemoved: #expect(hasScheme && row.effective != nil)
      case .invalid: #expect(isGiven && row.effective == nil)
      }
    }
  }

  @Test(
    "other texts that are no domain",
    arguments: [
      "http://http://example.com", "https://http://a.b", "user@example.com", "a.b?x", "a.b#x",
      "[::1]", "a.b\n", "a.b\u{0}", "\u{212A}elvin.com", "e\u{301}.com", ".\u{301}a.b", "...",
      "http:\u{338}//a.b", String(repeating: "a.", count: 127) + "a",
    ])
  func invalid(_ text: String) {
    #expect(NetworkDomain.read(text).domain == nil)
    #expect(NetworkDomain.read(text).diagnostic?.description.isEmpty == false)
  }

  @Test("127 labels are a domain")
  func manyLabels() {
    let text = String(repeating: "a.", count: 126) + "a"
    #expect(NetworkDomain.read(text).domain?.name == text)
  }

  @Test("a later data file moves the data host again, an empty value leaves it")
  func laterFiles() {
    var hosts = PlatformHosts(networkDomain: NetworkDomain.read("data.data.com").domain)
    #expect(hosts.data == "data.data.data.com")
    hosts.apply(dataApiDomain: "na-data.kameleoon.io")
    #expect(hosts.data == "na-data.data.data.com")
    hosts.apply(dataApiDomain: "")
    hosts.apply(dataApiDomain: nil)
    #expect(hosts.data == "na-data.data.data.com")
    hosts.apply(dataApiDomain: "eu-data.kameleoon.io")
    #expect(hosts.data == "eu-data.data.data.com")
  }

  @Test(
    "a dataApiDomain that is no host name is refused",
    arguments: [
      "evil.com/x?", "a b", "a@b.c", "a:80", "-a.b", "a..b", ".", "é.com", "a.b\r\nX: y",
    ])
  func hostileDataDomain(_ text: String) {
    var hosts = PlatformHosts()
    let isApplied = hosts.apply(dataApiDomain: text)
    #expect(!isApplied)
    #expect(hosts == PlatformHosts())
  }

  @Test("twenty thousand damaged domains are refused or are plain host names")
  func fuzz() {
    var mutation = TestMutation(seed: 0xD0, marks: ".-/:@ aA9_\u{0}é")
    let seeds = ["https://shop.example.com", ".A-b.c9.", "localhost", "http://1.2.3.4"]
      .map { Array($0.utf8) }
    let allowed = Set("abcdefghijklmnopqrstuvwxyz0123456789-.".utf8)
    for round in 0..<20_000 {
      let text = String(
        decoding: mutation.mutate(seeds[round % seeds.count]), as: UTF8.self)
      if let domain = NetworkDomain.read(text).domain {
        #expect(domain.name.utf8.allSatisfy(allowed.contains))
        #expect(NetworkDomain.read(domain.name).domain == domain)
        #expect(!domain.name.hasPrefix(".") && !domain.name.contains(".."))
      }
      var hosts = PlatformHosts()
      if hosts.apply(dataApiDomain: text), !text.isEmpty {
        #expect(hosts.data.utf8.allSatisfy { allowed.contains($0 | 0x20) || allowed.contains($0) })
      }
    }
  }
}
