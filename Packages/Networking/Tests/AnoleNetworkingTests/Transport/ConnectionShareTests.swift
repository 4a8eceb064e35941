// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import AnoleNetworking

@Suite("Transport: share of connections")
struct ConnectionShareTests {
  @Test("the limit per host holds, and those who wait come in their order")
  func perHost() {
    var share = ConnectionShare<Int>(limitPerHost: 2, limit: 9)
    #expect(
      (1...5).map { share.enter($0, host: "a", mayShare: false) } == [
        true, true, false, false, false,
      ])
    let other = share.enter(6, host: "b", mayShare: false)
    #expect(other)
    share.abandon(4)
    let orders = [1, 2, 3, 5].map { share.leave($0, host: "a").map(\.id) }
    #expect(orders == [[3], [5], [], []])
    let again = share.enter(7, host: "a", mayShare: false)
    #expect(again)
  }

  @Test("the limit of all hosts holds, and a full host does not stop the others")
  func allHosts() {
    var share = ConnectionShare<Int>(limitPerHost: 2, limit: 3)
    let starts = [1, 2, 3].map { share.enter($0, host: "a", mayShare: false) }
    #expect(starts == [true, true, false])
    #expect([4, 5].map { share.enter($0, host: "b", mayShare: false) } == [true, false])
    #expect(share.leave(4, host: "b").map(\.host) == ["b"])
    #expect(share.leave(1, host: "a").map(\.id) == [3])
  }

  @Test("the first transfer goes alone until its connection stands, where one may serve several")
  func pioneer() {
    var share = ConnectionShare<Int>(limitPerHost: 3, limit: 9)
    let starts = (1...5).map { share.enter($0, host: "a", mayShare: true) }
    #expect(starts == [true, false, false, false, false])
    let other = share.enter(6, host: "b", mayShare: true)
    #expect(other)
    #expect(share.connected(2, host: "a").isEmpty)
    #expect(share.connected(1, host: "a").map(\.id) == [2, 3])
    #expect(share.connected(1, host: "a").isEmpty)
    // As long as one connection stands, nobody has to find out again.
    #expect(share.leave(1, host: "a").map(\.id) == [4])
    #expect(share.leave(2, host: "a").map(\.id) == [5])
  }

  @Test("where the first one fails, the next one goes alone")
  func failedPioneer() {
    var share = ConnectionShare<Int>(limitPerHost: 3, limit: 9)
    let starts = (1...4).map { share.enter($0, host: "a", mayShare: true) }
    #expect(starts == [true, false, false, false])
    #expect(share.leave(1, host: "a").map(\.id) == [2])
    share.abandon(3)
    #expect(share.connected(2, host: "a").map(\.id) == [4])
  }
}
