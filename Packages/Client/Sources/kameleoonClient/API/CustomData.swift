// SPDX-License-Identifier: Apache-2.0

/// Values of a custom datum that the project declares.
///
/// It is named by its index (`id:` and `index:` mean the same number) or by its name. A name is looked up
/// when the datum is added: unknown in the configuration, or before there is one, the datum is ignored.
public struct CustomData: KameleoonData, Hashable {
  /// The index; -1 for a datum that is given by name.
  public let id: Int
  /// The values, in order.
  public let values: [String]
  /// The name; nil for a datum that is given by index.
  public let name: String?
  /// Whether the platform replaces the values it has of the visit, or keeps them beside these.
  public let overwrite: Bool

  /// Makes values of a custom datum.
  ///
  /// - Parameters:
  ///   - id: The index.
  ///   - values: The values, in order.
  public init(id: Int, values: String...) {
    self.init(index: id, name: nil, overwrite: true, values: values)
  }

  /// Makes values of a custom datum.
  ///
  /// - Parameters:
  ///   - id: The index.
  ///   - values: The values, in order.
  public init(id: Int, values: [String]) {
    self.init(index: id, name: nil, overwrite: true, values: values)
  }

  /// Makes values of a custom datum.
  ///
  /// - Parameters:
  ///   - index: The index.
  ///   - overwrite: Whether the platform replaces the values it has of the visit.
  ///   - values: The values, in order.
  public init(index: Int, overwrite: Bool = true, values: String...) {
    self.init(index: index, name: nil, overwrite: overwrite, values: values)
  }

  /// Makes values of a custom datum.
  ///
  /// - Parameters:
  ///   - index: The index.
  ///   - overwrite: Whether the platform replaces the values it has of the visit.
  ///   - values: The values, in order.
  public init(index: Int, overwrite: Bool = true, values: [String]) {
    self.init(index: index, name: nil, overwrite: overwrite, values: values)
  }

  /// Makes values of a custom datum that is given by its name.
  ///
  /// - Parameters:
  ///   - name: The name, compared byte by byte.
  ///   - overwrite: Whether the platform replaces the values it has of the visit.
  ///   - values: The values, in order.
  public init(name: String, overwrite: Bool = true, values: String...) {
    self.init(index: -1, name: name, overwrite: overwrite, values: values)
  }

  /// Makes values of a custom datum that is given by its name.
  ///
  /// - Parameters:
  ///   - name: The name, compared byte by byte.
  ///   - overwrite: Whether the platform replaces the values it has of the visit.
  ///   - values: The values, in order.
  public init(name: String, overwrite: Bool = true, values: [String]) {
    self.init(index: -1, name: name, overwrite: overwrite, values: values)
  }

  private init(index: Int, name: String?, overwrite: Bool, values: [String]) {
    id = index
    self.name = name
    self.overwrite = overwrite
    self.values = values
  }
}
