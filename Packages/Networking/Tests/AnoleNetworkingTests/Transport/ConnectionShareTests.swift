// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import AnoleNetworking

@Suite("Transport: share of connections")
struct ConnectionShareTests {
  @Test("the limit per host holds, and those who wait come in their order")
  func perHost() {
    var share = ConnectionShare<Int>(limitPerHost: 2, limit: 9)
    #expect((1...5).map { share.enter($0, host: "a") } == [true, true, false, false, false])
    let other = share.enter(6, host: "b")
    #expect(other)
    share.abandon(4)
    let orders = (0..<4).map { _ in share.leave("a").map(\.id) }
    #expect(orders == [[3], [5], [], []])
    let again = share.enter(7, host: "a")
    #expect(again)
  }

  @Test("the limit of all hosts holds, and a full host does not stop the others")
  func allHosts() {
    var share = ConnectionShare<Int>(limitPerHost: 2, limit: 3)
    let starts = [1, 2, 3].map { share.enter($0, host: "a") }
    #expect(starts == [true, true, false])
    #expect([4, 5].map { share.enter($0, host: "b") } == [true, false])
    #expect(share.leave("b").map(\.host) == ["b"])
    #expect(share.leave("a").map(\.id) == [3])
  }
}
