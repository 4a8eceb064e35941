// SPDX-License-Identifier: Apache-2.0

import AnoleModels

/// The arguments of a control request: members of its JSON body, or parameters of its query.
struct ControlArguments {
  private let members: [JSONValue.Member]

  init(_ request: Request) throws(ControlError) {
    if request.isTooLarge { throw ControlError(413, "The body is too large.") }
    guard !request.body.isEmpty else {
      members = request.head.query.parameters.map { .init(key: $0.name, value: .string($0.value)) }
      return
    }
    let value: JSONValue
    do {
      value = try JSONValue(parsing: request.body)
    } catch {
      throw ControlError(400, "The body is not JSON: \(error).")
    }
    guard let members = value.objectValue else {
      throw ControlError(400, "The body must be a JSON object.")
    }
    self.members = members
  }

  /// The value of a member, unless it is missing or null.
  subscript(name: String) -> JSONValue? {
    guard let value = members.last(where: { $0.key == name })?.value, !value.isNull else {
      return nil
    }
    return value
  }

  /// Refuses names that mean nothing, most often spelling mistakes.
  func allow(_ names: String...) throws(ControlError) {
    guard let stranger = members.first(where: { !names.contains($0.key) }) else { return }
    throw ControlError(
      400,
      "There is no argument \(stranger.key.debugDescription); there are: "
        + "\(names.joined(separator: ", ")).")
  }

  func text(_ name: String) throws(ControlError) -> String? {
    guard let value = self[name] else { return nil }
    guard let text = value.stringValue else {
      throw ControlError(400, "\(name) must be a string.")
    }
    return text
  }

  func requiredText(_ name: String) throws(ControlError) -> String {
    guard let text = try text(name) else { throw ControlError(400, "\(name) is missing.") }
    return text
  }

  /// An integer; the query's text counts too.
  func integer(_ name: String, in range: ClosedRange<Int64>) throws(ControlError) -> Int? {
    guard let value = self[name] else { return nil }
    let number = value.integerValue ?? value.stringValue.flatMap { Int64($0) }
    guard let number, range.contains(number) else {
      throw ControlError(
        400, "\(name) must be an integer from \(range.lowerBound) to \(range.upperBound).")
    }
    return Int(number)
  }

  func bool(_ name: String) throws(ControlError) -> Bool? {
    guard let value = self[name] else { return nil }
    guard let bool = value.boolValue else {
      throw ControlError(400, "\(name) must be true or false.")
    }
    return bool
  }

  /// A number.
  func number(_ name: String) throws(ControlError) -> Double? {
    guard let value = self[name] else { return nil }
    guard let number = value.doubleValue else {
      throw ControlError(400, "\(name) must be a number.")
    }
    return number
  }

  /// A list of numbers.
  func numbers(_ name: String) throws(ControlError) -> [Double]? {
    guard let value = self[name] else { return nil }
    let numbers = value.arrayValue?.compactMap(\.doubleValue)
    guard let numbers, numbers.count == value.arrayValue?.count else {
      throw ControlError(400, "\(name) must be a list of numbers.")
    }
    return numbers
  }

  /// An object whose values are strings.
  func texts(_ name: String) throws(ControlError) -> [(key: String, value: String)]? {
    guard let value = self[name] else { return nil }
    var pairs: [(key: String, value: String)] = []
    for member in value.objectValue ?? [] {
      guard let text = member.value.stringValue else { break }
      pairs.append((member.key, text))
    }
    guard let members = value.objectValue, members.count == pairs.count else {
      throw ControlError(400, "\(name) must be an object of strings.")
    }
    return pairs
  }

  /// A list of strings.
  func list(_ name: String) throws(ControlError) -> [String]? {
    guard let value = self[name] else { return nil }
    guard let values = value.arrayValue, values.allSatisfy({ $0.stringValue != nil }) else {
      throw ControlError(400, "\(name) must be a list of strings.")
    }
    return values.compactMap(\.stringValue)
  }

  /// Bytes: the JSON in a member, or the exact text in another, or the Base64 in a third.
  func bytes(json: String?, text: String, base64: String) throws(ControlError) -> [UInt8]? {
    if let json, let value = self[json] { return Array(value.text().utf8) }
    if let text = try self.text(text) { return Array(text.utf8) }
    guard let encoded = try self.text(base64) else { return nil }
    guard let bytes = Base64.decode(encoded) else {
      throw ControlError(400, "\(base64) must be Base64.")
    }
    return bytes
  }

  func route() throws(ControlError) -> Route? {
    guard let name = try text("route") else { return nil }
    guard let route = Route(rawValue: name) else {
      let names = Route.allCases.map(\.rawValue).joined(separator: ", ")
      throw ControlError(400, "There is no route \(name.debugDescription); there are: \(names).")
    }
    return route
  }
}
