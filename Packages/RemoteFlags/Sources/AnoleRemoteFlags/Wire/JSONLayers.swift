// SPDX-License-Identifier: Apache-2.0

import AnoleModels

/// A JSON text cut into layers, so that a value nested without measure can be checked without recursion.
///
/// A container that opens below `depth` levels is replaced by `0` in its layer and becomes a layer of its
/// own. Readers that recurse then never go deeper than `depth`.
struct JSONLayers {
  /// More than what a usable answer needs: 5 levels around a value, 64 in it.
  static let depth = 72

  /// The text with deep containers replaced.
  let outer: [UInt8]
  /// The containers that were replaced, each with those in it replaced in turn.
  let inner: [[UInt8]]

  init(_ text: [UInt8]) {
    guard Self.deepestLevel(of: text) > Self.depth else {
      outer = text
      inner = []
      return
    }
    var open: [[UInt8]] = [[]]
    var closed: [[UInt8]] = []
    var walk = Walk()
    for byte in text {
      let event = walk.step(byte)
      if event == .opens, Self.startsLayer(walk.level) { open.append([]) }
      open[open.count - 1].append(byte)
      guard event == .closes, Self.startsLayer(walk.level + 1), open.count > 1 else { continue }
      closed.append(open.removeLast())
      open[open.count - 1].append(UInt8(ascii: "0"))
    }
    // What is still open lacks its end, and so does the outermost layer: it does not parse.
    outer = open[0]
    inner = closed
  }

  /// Reads the outer layer as a tree, after the others were checked.
  ///
  /// - Throws: `JSONError` when a layer is not JSON; its place is counted in the layer.
  func value() throws(JSONError) -> JSONValue {
    for layer in inner { _ = try JSONValue(parsing: layer, maximumDepth: Self.depth) }
    return try JSONValue(parsing: outer, maximumDepth: Self.depth)
  }

  /// Reads a text as a tree, cut into layers only where it nests more deeply than one has room for.
  ///
  /// - Throws: `JSONError` when it is not JSON; of a text that is cut the place is counted in its layer.
  static func value(of text: [UInt8]) throws(JSONError) -> JSONValue {
    do throws(JSONError) {
      return try JSONValue(parsing: text, maximumDepth: depth)
    } catch {
      guard error.reason == .nestedTooDeeply else { throw error }
      return try JSONLayers(text).value()
    }
  }

  private static func startsLayer(_ level: Int) -> Bool {
    level > 1 && (level - 1) % depth == 0
  }

  private static func deepestLevel(of text: [UInt8]) -> Int {
    var walk = Walk()
    var deepest = 0
    for byte in text where walk.step(byte) == .opens { deepest = max(deepest, walk.level) }
    return deepest
  }

  /// Follows strings and brackets, nothing else.
  private struct Walk {
    enum Event { case opens, closes, other }

    private(set) var level = 0
    private var isInString = false
    private var isEscaped = false

    mutating func step(_ byte: UInt8) -> Event {
      if isInString {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isInString = false
        }
        return .other
      }
      switch byte {
      case UInt8(ascii: "\""):
        isInString = true
        return .other
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        level += 1
        return .opens
      case UInt8(ascii: "]"), UInt8(ascii: "}"):
        guard level > 0 else { return .other }
        level -= 1
        return .closes
      default:
        return .other
      }
    }
  }
}
