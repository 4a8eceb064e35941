// SPDX-License-Identifier: Apache-2.0

extension Types {
  /// A variation of a flag.
  public struct Variation: Sendable {
    /// What every visitor gets of the variation: made once a data file and shared, so that handing a
    /// variation out costs one reference.
    final class Content: Sendable {
      let name: String
      let key: String
      let variables: [String: Variable]

      init(name: String, key: String, variables: [String: Variable]) {
        self.name = name
        self.key = key
        self.variables = variables
      }
    }

    let content: Content
    /// The id that is reported; -1 for a default variation.
    public let id: Int
    /// The experiment or delivery that it was assigned by; -1 for a default variation.
    public let experimentId: Int

    /// The name for people.
    public var name: String { content.name }
    /// The key; `off` means that the feature is not active.
    public var key: String { content.key }
    /// The variables by key.
    public var variables: [String: Variable] { content.variables }

    init(content: Content, id: Int, experimentId: Int) {
      self.content = content
      self.id = id
      self.experimentId = experimentId
    }

    /// Makes a variation.
    ///
    /// - Parameters:
    ///   - name: The name for people.
    ///   - key: The key.
    ///   - id: The id that is reported; -1 for none.
    ///   - experimentId: The experiment's id; -1 for none.
    ///   - variables: The variables by key.
    public init(
      name: String = "", key: String, id: Int = -1, experimentId: Int = -1,
      variables: [String: Variable] = [:]
    ) {
      self.init(
        content: Content(name: name, key: key, variables: variables), id: id,
        experimentId: experimentId)
    }
  }
}

extension Types.Variation: Hashable {
  /// Whether all members are equal.
  public static func == (left: Types.Variation, right: Types.Variation) -> Bool {
    guard left.id == right.id, left.experimentId == right.experimentId else { return false }
    if left.content === right.content { return true }
    return left.key == right.key && left.name == right.name && left.variables == right.variables
  }

  /// Feeds key and ids; the rest follows from them in all but strange cases.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(key)
    hasher.combine(id)
    hasher.combine(experimentId)
  }
}

extension Types.Variation: Codable {
  private enum CodingKeys: String, CodingKey {
    case name, key, id, experimentId, variables
  }

  /// Reads an object with all members.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      name: try values.decode(String.self, forKey: .name),
      key: try values.decode(String.self, forKey: .key),
      id: try values.decode(Int.self, forKey: .id),
      experimentId: try values.decode(Int.self, forKey: .experimentId),
      variables: try values.decode([String: Types.Variable].self, forKey: .variables))
  }

  /// Writes an object with all members.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(name, forKey: .name)
    try values.encode(key, forKey: .key)
    try values.encode(id, forKey: .id)
    try values.encode(experimentId, forKey: .experimentId)
    try values.encode(variables, forKey: .variables)
  }
}
