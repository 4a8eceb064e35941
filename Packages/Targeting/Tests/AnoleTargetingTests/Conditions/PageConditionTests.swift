// SPDX-License-Identifier: Apache-2.0

import AnoleModels
import Testing

private let noon = Time.midnight + Time.day / 2

/// Three distinct pages, seen in the order a, b, c; a was seen again between b and c.
private let pages: [VisitorDatum] = [
  .page("https://x/a", "Alpha", count: 2, at: noon + 3),
  .page("https://x/b", "Beta", count: 1, at: noon + 2),
  .page("https://x/c", nil, count: 3, at: noon + 4),
]
private let onePage: [VisitorDatum] = [.page("https://x/b", "Beta", at: noon)]

private func page(_ type: String, _ field: String, _ match: String, _ value: String) -> String {
  #"{"targetingType":"\#(type)","\#(field)":"\#(value)","matchType":"\#(match)"}"#
}
private func url(_ match: String, _ value: String) -> String {
  page("PAGE_URL", "url", match, value)
}
private func title(_ match: String, _ value: String) -> String {
  page("PAGE_TITLE", "title", match, value)
}
private func previous(_ match: String, _ value: String) -> String {
  page("PREVIOUS_PAGE", "url", match, value)
}
private func views(_ match: String, _ count: Int) -> String {
  #"{"targetingType":"PAGE_VIEWS","pageCount":\#(count),"matchType":"\#(match)"}"#
}

private let pageCases: [ConditionCase] = [
  ConditionCase("URL of the latest view", url("EXACT", "https://x/c"), pages, is: true),
  ConditionCase("URL of an earlier view", url("EXACT", "https://x/a"), pages, is: false),
  ConditionCase("URL contains", url("CONTAINS", "x/c"), pages, is: true),
  ConditionCase("URL pattern", url("REGULAR_EXPRESSION", "https://x/[c-e]"), pages, is: true),
  ConditionCase("no page", url("CONTAINS", ""), is: false),
  ConditionCase("unknown operator on the URL", url("STARTS", "https"), pages, is: false),
  ConditionCase("no URL", #"{"targetingType":"PAGE_URL","matchType":"EXACT"}"#, pages, is: false),
  ConditionCase("title of the latest view", title("EXACT", "Beta"), onePage, is: true),
  ConditionCase("another title", title("EXACT", "beta"), onePage, is: false),
  ConditionCase("the latest view has no title", title("CONTAINS", ""), pages, is: false),
  ConditionCase("no page, no title", title("CONTAINS", ""), is: false),
  ConditionCase("second latest distinct URL", previous("EXACT", "https://x/a"), pages, is: true),
  ConditionCase("the latest is not the previous", previous("CONTAINS", "c"), pages, is: false),
  ConditionCase("one page has no previous", previous("CONTAINS", ""), onePage, is: false),
  ConditionCase("no page has no previous", previous("CONTAINS", ""), is: false),
  ConditionCase("views are added up", views("EQUAL", 6), pages, is: true),
  ConditionCase("more views", views("GREATER", 5), pages, is: true),
  ConditionCase("fewer views", views("LOWER", 6), pages, is: false),
  ConditionCase("no page counts 0", views("EQUAL", 0), is: true),
  ConditionCase("no page is fewer than 1", views("LOWER", 1), is: true),
  ConditionCase("unknown operator on views", views("NOT", 0), is: false),
]

private let cookies: [VisitorDatum] = [
  .cookies([
    Cookie(name: "plan", value: "gold"), Cookie(name: "plan_b", value: "silver"),
    Cookie(name: "lang", value: "fr"),
  ])
]

private func cookie(
  _ nameMatch: String, _ name: String, _ valueMatch: String, _ value: String
) -> String {
  #"{"targetingType":"COOKIE","name":"\#(name)","nameMatchType":"\#(nameMatch)","#
    + #""value":"\#(value)","valueMatchType":"\#(valueMatch)"}"#
}

private let cookieCases: [ConditionCase] = [
  ConditionCase("name and value", cookie("EXACT", "plan", "EXACT", "gold"), cookies, is: true),
  ConditionCase("another value", cookie("EXACT", "plan", "EXACT", "silver"), cookies, is: false),
  ConditionCase("another name", cookie("EXACT", "Plan", "EXACT", "gold"), cookies, is: false),
  ConditionCase(
    "any selected cookie", cookie("CONTAINS", "plan", "EXACT", "silver"), cookies, is: true),
  ConditionCase(
    "only selected cookies", cookie("CONTAINS", "plan", "EXACT", "fr"), cookies, is: false),
  ConditionCase(
    "patterns", cookie("REGULAR_EXPRESSION", "plan(_.)?", "REGULAR_EXPRESSION", "sil.*"), cookies,
    is: true),
  ConditionCase("no cookies", cookie("CONTAINS", "", "CONTAINS", ""), is: false),
  ConditionCase("empty list", cookie("CONTAINS", "", "CONTAINS", ""), [.cookies([])], is: false),
]

private func heat(_ fields: String) -> String { #"{"targetingType":"HEAT_SLICE",\#(fields)}"# }
private func heat(_ lower: String, _ upper: String) -> String {
  heat(#""keyMomentId":3,"goalId":5,"lowerBound":\#(lower),"upperBound":\#(upper)"#)
}
private let scored: [VisitorDatum] = [.keyMomentScores([3: [5: 40.5, 6: 90]])]

private let heatCases: [ConditionCase] = [
  ConditionCase("inside", heat("40", "41"), scored, is: true),
  ConditionCase("lower bound inclusive", heat("40.5", "100"), scored, is: true),
  ConditionCase("upper bound inclusive", heat("0", "40.5"), scored, is: true),
  ConditionCase("below", heat("40.6", "100"), scored, is: false),
  ConditionCase("above", heat("0", "40.4"), scored, is: false),
  ConditionCase("bounds the wrong way round", heat("100", "0"), scored, is: false),
  ConditionCase("no scores", heat("0", "100"), is: false),
  ConditionCase(
    "no score of the goal", heat("0", "100"), [.keyMomentScores([3: [6: 1]])], is: false),
  ConditionCase(
    "no score of the moment", heat("0", "100"), [.keyMomentScores([4: [5: 1]])], is: false),
  ConditionCase(
    "no key moment", heat(#""goalId":5,"lowerBound":0,"upperBound":100"#), scored, is: false),
  ConditionCase(
    "no goal", heat(#""keyMomentId":3,"lowerBound":0,"upperBound":100"#), scored, is: false),
  ConditionCase(
    "no lower bound", heat(#""keyMomentId":3,"goalId":5,"upperBound":100"#), scored, is: false),
  ConditionCase(
    "no upper bound", heat(#""keyMomentId":3,"goalId":5,"lowerBound":0"#), scored, is: false),
]

@Suite("Conditions on pages, cookies and scores (4.3)")
struct PageConditionTests {
  @Test("page conditions look at the latest views", arguments: pageCases)
  func pageViews(_ row: ConditionCase) throws { try row.verify() }

  @Test("COOKIE selects by name, then looks for a value", arguments: cookieCases)
  func cookieValues(_ row: ConditionCase) throws { try row.verify() }

  @Test("HEAT_SLICE takes both bounds inclusively", arguments: heatCases)
  func heatSlice(_ row: ConditionCase) throws { try row.verify() }
}
