// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency

/// An object that is not kept alive.
///
/// - Note: `@unchecked Sendable` is needed because the object may be of any class. It is safe because the
///   reference is never changed after `init`, loading a weak reference is atomic, and the object is touched
///   only by the closure that its owner gave for that, where that owner wants it.
package struct WeakReference: @unchecked Sendable {
  package private(set) weak var object: AnyObject?

  /// Refers to an object.
  package init(_ object: AnyObject) {
    self.object = object
  }
}

/// Who is told of changes; objects are held weakly and told in the order in which they were added.
final class ListenerTable: Sendable {
  private struct Entry {
    let reference: WeakReference
    let tell: @Sendable (AnyObject) -> Void
  }

  private let entries = Lock<[Entry]>([])

  /// Adds an object unless it is there already.
  func add(_ reference: WeakReference, _ tell: @escaping @Sendable (AnyObject) -> Void) {
    guard let object = reference.object else { return }
    entries.withLock { entries in
      entries.removeAll { $0.reference.object == nil }
      guard !entries.contains(where: { $0.reference.object === object }) else { return }
      entries.append(Entry(reference: reference, tell: tell))
    }
  }

  /// Removes an object; from then on it is not told, not even of what is pending.
  func remove(_ reference: WeakReference) {
    guard let object = reference.object else { return }
    entries.withLock { entries in
      entries.removeAll { $0.reference.object == nil || $0.reference.object === object }
    }
  }

  /// Tells everybody who is in the table when his turn comes.
  func tellAll() {
    let all = entries.withLock { entries in
      entries.removeAll { $0.reference.object == nil }
      return entries
    }
    for entry in all {
      guard let object = entry.reference.object else { continue }
      let isThere = entries.withLock { $0.contains { $0.reference.object === object } }
      if isThere { entry.tell(object) }
    }
  }

  var count: Int { entries.withLock { $0.count } }
}
