// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import AnoleNetworking

@Suite("Token plan")
struct TokenPlanTests {
  private struct Lifetime: Decodable {
    let expiresIn: Int64
    let expiredAfterSeconds: Double
    let obsoleteAfterSeconds: Double
  }

  private func token(_ value: String, _ seconds: Int64) throws -> AccessToken {
    try #require(AccessToken(value: value, lifetime: seconds))
  }

  @Test("recorded lifetimes")
  func lifetimes() throws {
    for row in try FixtureFile.cases(Lifetime.self, in: "token_lifetimes") {
      let token = try token("t", row.expiresIn)
      #expect(token.expiresAfter == .seconds(Int64(row.expiredAfterSeconds)))
      #expect(token.isObsoleteAfter == .seconds(Int64(row.obsoleteAfterSeconds)))

      var plan = TokenPlan()
      #expect(plan.decide(at: .zero) == .fetchAndWait)
      plan.fetched(token, at: .zero)
      let (obsolete, expired) = (token.isObsoleteAfter, token.expiresAfter)
      guard expired > .zero else {
        #expect(plan.decide(at: .zero) == .fetchAndWait)
        continue
      }
      #expect(plan.decide(at: obsolete - .nanoseconds(1)) == .use("t"))
      if obsolete < expired {
        #expect(plan.decide(at: obsolete) == .useAndFetch("t"))
        #expect(plan.decide(at: expired - .nanoseconds(1)) == .use("t"))
        #expect(plan.decide(at: expired) == .wait)
      } else {
        #expect(plan.decide(at: expired) == .fetchAndWait)
      }
    }
  }

  @Test("answers that hold a token and answers that do not")
  func answers() {
    let good: [(String, Int64)] = [
      (#"{"access_token":"T","expires_in":7200,"token_type":"bearer"}"#, 7_200),
      (#"{"expires_in":1,"access_token":"T"}"#, 1),
      (#"{"access_token":"T","expires_in":9223372036854775807}"#, 3_153_600_000),
    ]
    for (text, seconds) in good {
      let token = AccessToken(answer: Array(text.utf8))
      #expect(token?.value == "T")
      #expect(token?.lifetime == seconds)
      #expect(token?.description.contains("T") == false)
    }
    let bad = [
      "", "null", "[]", "{}", "{", #"{"access_token":"T"}"#, #"{"expires_in":5}"#,
      #"{"access_token":"","expires_in":5}"#, #"{"access_token":5,"expires_in":5}"#,
      #"{"access_token":"T","expires_in":0}"#, #"{"access_token":"T","expires_in":-5}"#,
      #"{"access_token":"T","expires_in":"5"}"#, #"{"access_token":"T","expires_in":1.5}"#,
      #"{"access_token":"T","expires_in":true}"#, #"{"access_token":null,"expires_in":5}"#,
      #"{"access_token":"a b","expires_in":5}"#, #"{"access_token":"a\r\nX: y","expires_in":5}"#,
    ]
    for text in bad { #expect(AccessToken(answer: Array(text.utf8)) == nil, "\(text)") }
  }

  @Test("after a failure there is silence of 300 s, but a valid token is used on")
  func silence() throws {
    var plan = TokenPlan()
    _ = plan.decide(at: .zero)
    plan.fetched(nil, at: .seconds(1))
    #expect(plan.decide(at: .seconds(300)) == .goWithout)
    #expect(plan.decide(at: .seconds(301)) == .fetchAndWait)
    plan.fetched(try token("t", 1_900), at: .seconds(301))
    #expect(plan.decide(at: .seconds(401)) == .useAndFetch("t"))
    plan.fetched(nil, at: .seconds(402))
    #expect(plan.decide(at: .seconds(701)) == .use("t"))
    #expect(plan.decide(at: .seconds(702)) == .useAndFetch("t"))
  }

  @Test("a rejected token is dropped only if it is the one in use")
  func rejection() throws {
    var plan = TokenPlan()
    _ = plan.decide(at: .zero)
    plan.fetched(try token("new", 7_200), at: .zero)
    plan.reject("old")
    #expect(plan.decide(at: .zero) == .use("new"))
    plan.reject("new")
    #expect(plan.decide(at: .zero) == .fetchAndWait)
    #expect(plan.decide(at: .zero) == .wait)
    plan.fetchCancelled()
    #expect(plan.decide(at: .zero) == .fetchAndWait)
  }
}
