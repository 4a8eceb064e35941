// SPDX-License-Identifier: Apache-2.0

import AnoleEmulator

/// The options that make a server behave worse than it must.
enum ServeOptions {
  static let fault = Option(
    "fault", value: "[ROUTE=]WHAT:CHANCE",
    help: "answer with a status, or close or never, by chance; repeat it")
  static let latency = Option(
    "latency", value: "[ROUTE=]FROM..TO",
    help: "wait so many milliseconds before each answer; repeat it")
  static let dropStream = Option(
    "drop-stream-after", value: "SPAN", help: "break event streams off after 30s, 5m or the like")
  static let clockSkew = Option(
    "clock-skew", value: "SPAN", help: "let the server's clock go ahead, or behind as with -1h")
  static let seed = Option(
    "seed", value: "NUMBER", help: "the seed of all chance; default: another one every time")

  static let all = [fault, latency, dropStream, clockSkew, seed]

  private static let longestSkew = Duration.seconds(3_650 * 86_400)

  /// Sets an emulator up.
  static func apply(_ arguments: Arguments, to emulator: Emulator) throws(Failure) {
    for text in arguments.values(fault) {
      let (route, rest) = try route(text, fault)
      guard let (kind, chance) = parse(fault: rest) else {
        throw Failure(
          "\(fault.text) wants a status, close or never with a chance from 0 to 1, such as 503:0.2 or "
            + "tracking=close:0.1, not \(Printable.quote(text))")
      }
      emulator.addFault(kind, on: route, chance: chance)
    }
    for text in arguments.values(latency) {
      let (route, rest) = try route(text, latency)
      guard let range = parse(latency: rest) else {
        throw Failure(
          "\(latency.text) wants milliseconds up to \(longestLatency), such as 200..800 or sse=50, not "
            + "\(Printable.quote(text))")
      }
      emulator.setLatency(range, on: route)
    }
    let life = try arguments.span(
      dropStream, in: .milliseconds(1)...Duration.seconds(86_400),
      "a span from 1ms to 1d, such as 30s")
    if let life { emulator.setStreamLifetime(life) }
    let skew = try arguments.span(
      clockSkew, in: (.zero - longestSkew)...longestSkew,
      "a span of at most ten years, such as -1h or 30s")
    if let skew { emulator.setClockSkew(skew) }
  }

  /// The seed; a new one if none was given.
  static func seed(_ arguments: Arguments, in environment: Environment) throws(Failure) -> UInt64 {
    if let number = try arguments.integer(seed, in: 0...Int64.max) { return UInt64(number) }
    var chance = environment.chance()
    return chance.next()
  }

  // MARK: - Reading

  private static let longestLatency = 3_600_000

  /// The route before an equals sign, nil for all, and what follows.
  private static func route(
    _ text: String, _ option: Option
  ) throws(Failure) -> (route: Route?, rest: Substring) {
    guard let sign = text.firstIndex(of: "=") else { return (nil, text[...]) }
    let name = String(text[..<sign])
    guard let route = Route(rawValue: name) else {
      let near = Nearest.names(to: name, among: Route.allCases.map(\.rawValue))
      let hint = near.first.map { "did you mean \($0)?" } ?? "serve --help lists them"
      throw Failure("\(option.text): there is no route \(Printable.quote(name)); \(hint)")
    }
    return (route, text[text.index(after: sign)...])
  }

  private static func parse(fault text: Substring) -> (Fault, chance: Double)? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, let chance = Double(parts[1]), (0...1).contains(chance) else {
      return nil
    }
    switch parts[0] {
    case "close": return (.closeAfterReading, chance)
    case "never": return (.neverAnswer, chance)
    default:
      guard let status = Int(parts[0]), (200...599).contains(status) else { return nil }
      return (.status(status), chance)
    }
  }

  private static func parse(latency text: Substring) -> ClosedRange<Duration>? {
    let bounds = text.split(separator: "..", omittingEmptySubsequences: false).map { Int($0) }
    guard let first = bounds.first, let least = first, let last = bounds.last, let most = last,
      bounds.count <= 2, (0...most).contains(least), most <= longestLatency
    else { return nil }
    return .milliseconds(least) ... .milliseconds(most)
  }
}
