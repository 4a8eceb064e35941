// SPDX-License-Identifier: Apache-2.0

/// A request as the transport sends it.
public struct HTTPRequest: Sendable, Hashable {
  /// The method, in upper case.
  public enum Method: String, Sendable, Hashable {
    /// Reads.
    case get = "GET"
    /// Sends a body.
    case post = "POST"
  }

  /// The method.
  public var method: Method
  /// The absolute address, percent-encoded: `https://host[:port]/path[?query]`.
  public var url: String
  /// Headers in their order; names are compared without regard to case.
  public var headers: HTTPHeaders
  /// The body; nil for none.
  public var body: [UInt8]?
  /// The limit for one attempt, from the start of connecting to the last byte; nil for none.
  public var timeout: Duration?
  /// The limit for connecting; nil for that of ``timeout``.
  public var connectTimeout: Duration?
  /// The greatest size of the decoded body, in bytes; more fails the request.
  public var maximumBodySize: Int
  /// Whether redirects are followed; true by default.
  ///
  /// Otherwise an answer that leads elsewhere is the result, as any other.
  public var followsRedirects: Bool

  /// The default of ``maximumBodySize``: far above any data file, far below what hurts.
  public static let defaultMaximumBodySize = 64 << 20

  /// Makes a request.
  public init(
    method: Method = .get, url: String, headers: HTTPHeaders = [:], body: [UInt8]? = nil,
    timeout: Duration? = .seconds(10), connectTimeout: Duration? = nil,
    maximumBodySize: Int = HTTPRequest.defaultMaximumBodySize, followsRedirects: Bool = true
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.timeout = timeout
    self.connectTimeout = connectTimeout
    self.maximumBodySize = maximumBodySize
    self.followsRedirects = followsRedirects
  }
}

/// Header fields in their order; names are compared without regard to ASCII case.
public struct HTTPHeaders: Sendable, Hashable, ExpressibleByDictionaryLiteral {
  /// One field.
  public struct Field: Sendable, Hashable {
    /// The name as written.
    public let name: String
    /// The value without white space around it.
    public let value: String

    /// Makes a field.
    public init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  /// The fields in their order.
  public private(set) var fields: [Field] = []

  /// Fields in the order of a literal.
  public init(dictionaryLiteral elements: (String, String)...) {
    fields = elements.map { Field(name: $0.0, value: $0.1) }
  }

  /// The value of a name: the last one if it occurs several times.
  ///
  /// Setting replaces all.
  public subscript(name: String) -> String? {
    get { fields.last { Self.areEqual($0.name, name) }?.value }
    set {
      fields.removeAll { Self.areEqual($0.name, name) }
      if let newValue { append(name: name, value: newValue) }
    }
  }

  /// All values of a name in their order.
  public func values(of name: String) -> [String] {
    fields.filter { Self.areEqual($0.name, name) }.map(\.value)
  }

  /// Adds a field behind the others.
  public mutating func append(name: String, value: String) {
    fields.append(Field(name: name, value: value))
  }

  private static func areEqual(_ left: String, _ right: String) -> Bool {
    left.utf8.count == right.utf8.count
      && zip(left.utf8, right.utf8).allSatisfy { lowercased($0) == lowercased($1) }
  }

  private static func lowercased(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }
}
