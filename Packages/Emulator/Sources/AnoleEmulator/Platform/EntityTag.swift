// SPDX-License-Identifier: Apache-2.0

/// Comparison of entity tags.
enum EntityTag {
  /// Whether a list as in `If-None-Match` names a tag, weakly or strongly; `*` names every one.
  static func list(_ list: String, contains tag: String) -> Bool {
    list.split(separator: ",").contains { element in
      var element = element.drop { $0 == " " }
      if element.hasPrefix("W/"), !tag.hasPrefix("W/") { element = element.dropFirst(2) }
      return element == "*" || element.prefix(tag.count) == tag
    }
  }
}
