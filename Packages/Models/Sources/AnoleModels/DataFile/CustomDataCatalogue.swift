// SPDX-License-Identifier: Apache-2.0

/// The look-ups derived from the declared custom data (section 1.4): later entries win.
public struct CustomDataCatalogue: Sendable {
  /// The index that carries the cross-device user id, if one is declared.
  public let mappingIndex: Int?
  private let indexByID: [Int64: Int]
  private let indexByName: [[UInt8]: Int]
  private let localOnlyIndexes: Set<Int>
  private let visitorScopeIndexes: Set<Int>

  /// Derives the look-ups.
  public init(_ definitions: [CustomDataDefinition] = []) {
    var indexByID: [Int64: Int] = [:]
    var indexByName: [[UInt8]: Int] = [:]
    for definition in definitions {
      if let id = definition.id { indexByID[id] = definition.index }
      if let name = definition.name { indexByName[Array(name.utf8)] = definition.index }
    }
    self.indexByID = indexByID
    self.indexByName = indexByName
    mappingIndex = definitions.last(where: \.isMappingIdentifier)?.index
    localOnlyIndexes = Set(definitions.filter(\.isLocalOnly).map(\.index))
    visitorScopeIndexes = Set(definitions.filter { $0.scope == .visitor }.map(\.index))
  }

  /// The index of the entry with an internal id; nil if there is none.
  public func index(ofID id: Int64) -> Int? { indexByID[id] }

  /// The index of the entry with a name, compared byte by byte; nil if there is none.
  public func index(named name: String) -> Int? { indexByName[Array(name.utf8)] }

  /// Whether values of the index must never be sent.
  public func isLocalOnly(_ index: Int) -> Bool { localOnlyIndexes.contains(index) }

  /// Whether values of the index that came from the server are sent again.
  public func hasVisitorScope(_ index: Int) -> Bool { visitorScopeIndexes.contains(index) }
}
