// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency

#if !canImport(Darwin) && !THREAD_SANITIZER
  import Synchronization
#endif

/// A value that is made when it is first asked for.
///
/// Any thread may ask; two that ask first at the same time may both make it, and one of the results
/// serves all. Asking again costs one atomic read where the system has it, else a short lock.
final class LazyValue<Value: Sendable>: Sendable {
  private final class Box: Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
  }

  #if !canImport(Darwin) && !THREAD_SANITIZER
    /// The address of a retained box; 0 for none.
    ///
    /// `AtomicLazyReference` would do the same, but its generic code is not specialised here and costs
    /// more than a decision. The address is written once and the box lives as long as this object, so
    /// that an address that was read is always good.
    private let address = Atomic<UInt>(0)

    deinit {
      let present = address.load(ordering: .acquiring)
      if let pointer = UnsafeRawPointer(bitPattern: present) {
        Unmanaged<Box>.fromOpaque(pointer).release()
      }
    }

    /// The value; `make` gives it the first time.
    @inline(__always)
    func get(_ make: () -> Value) -> Value {
      let present = address.load(ordering: .acquiring)
      guard let pointer = UnsafeRawPointer(bitPattern: present) else { return store(make()) }
      return Unmanaged<Box>.fromOpaque(pointer).takeUnretainedValue().value
    }

    private func store(_ value: Value) -> Value {
      let made = Unmanaged.passRetained(Box(value))
      let (isStored, original) = address.compareExchange(
        expected: 0, desired: UInt(bitPattern: made.toOpaque()), ordering: .acquiringAndReleasing)
      guard !isStored else { return value }
      made.release()
      guard let pointer = UnsafeRawPointer(bitPattern: original) else { return value }
      return Unmanaged<Box>.fromOpaque(pointer).takeUnretainedValue().value
    }
  #else
    private let box = Lock<Box?>(nil)

    /// The value; `make` gives it the first time.
    func get(_ make: () -> Value) -> Value {
      if let box = box.withLock({ $0 }) { return box.value }
      let made = Box(make())
      return box.withLock { box in
        let stored = box ?? made
        box = stored
        return stored
      }.value
    }
  #endif
}
