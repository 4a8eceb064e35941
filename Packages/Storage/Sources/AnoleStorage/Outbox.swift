// SPDX-License-Identifier: Apache-2.0

/// A queue of items that wait to be delivered, shared by all who open the same store.
///
/// Items leave in the order they were appended. A consumer claims some for a time, delivers them, and
/// acknowledges; what is neither acknowledged nor released comes back when the lease ends. No item is in two
/// leases at once. While an item is leased, no other item of its group is given out, so that the order
/// within a group holds between processes too.
///
/// No operation fails: what a store cannot keep it holds in memory, and it reports that once.
public protocol Outbox: Sendable {
  /// Appends items in order, all or none of which survive a crash.
  ///
  /// If the queue passes its limits, its oldest items that are not leased are dropped and counted.
  @discardableResult
  func append(_ items: [OutboxItem]) async -> WriteOutcome

  /// Takes items from the front for a time.
  ///
  /// - Parameters:
  ///   - count: How many at most.
  ///   - bytes: How many bytes in all at most; the first item is given even if it is larger.
  ///   - lease: For how long nobody else gets them; at most ``OutboxClaim/longestLease``.
  /// - Returns: The items in order; empty when nothing is available.
  func claim(upTo count: Int, bytes: Int, lease: Duration) async -> OutboxClaim

  /// Removes delivered items; receipts whose item was meanwhile claimed again are ignored.
  @discardableResult
  func acknowledge(_ receipts: [OutboxReceipt]) async -> WriteOutcome

  /// Gives items back before their lease ends, to the places they had.
  @discardableResult
  func release(_ receipts: [OutboxReceipt]) async -> WriteOutcome

  /// Removes items that shall never be delivered, and counts them under a reason.
  @discardableResult
  func discard(_ receipts: [OutboxReceipt], reason: DropReason) async -> WriteOutcome

  /// What is queued and what was dropped.
  func statistics() async -> OutboxStatistics
}

/// What is put into an outbox.
public struct OutboxItem: Sendable, Hashable {
  /// The bytes to deliver; the outbox does not look into them.
  public let body: [UInt8]
  /// Items of one group are given out in order, to one consumer at a time; `nil` for an item on its own.
  public let group: String?
  /// When the item was accepted: milliseconds since the epoch.
  ///
  /// The limit of age counts from here.
  public let acceptedAt: Int64

  /// Makes an item.
  public init(body: [UInt8], group: String? = nil, acceptedAt: Int64) {
    self.body = body
    self.group = group
    self.acceptedAt = acceptedAt
  }
}

/// Names an item and the claim that holds it.
///
/// Both texts belong to the store that made them; treat them as opaque.
public struct OutboxReceipt: Sendable, Hashable {
  /// The item.
  public let item: String
  /// The claim.
  public let claim: String

  /// Makes a receipt, for implementations of ``Outbox``.
  public init(item: String, claim: String) {
    self.item = item
    self.claim = claim
  }
}

/// Items that a consumer holds for a time.
public struct OutboxClaim: Sendable, Hashable {
  /// An item and the receipt to acknowledge it with.
  public struct Item: Sendable, Hashable {
    /// What to hand back when the item is delivered.
    public let receipt: OutboxReceipt
    /// What was appended.
    public let content: OutboxItem

    /// Makes a claimed item, for implementations of ``Outbox``.
    public init(receipt: OutboxReceipt, content: OutboxItem) {
      self.receipt = receipt
      self.content = content
    }
  }

  /// The longest lease: what a crashed consumer held is back after this time at the latest.
  public static let longestLease = Duration.seconds(600)

  /// The items in the order they were appended.
  public let items: [Item]
  /// When the lease ends: milliseconds since the epoch.
  public let expiresAt: Int64

  /// Makes a claim, for implementations of ``Outbox``.
  public init(items: [Item], expiresAt: Int64) {
    self.items = items
    self.expiresAt = expiresAt
  }

  /// The receipts of all items, to acknowledge, release or discard them together.
  public var receipts: [OutboxReceipt] { items.map(\.receipt) }

  /// Whether nothing was available.
  public var isEmpty: Bool { items.isEmpty }
}

/// Why an item left the outbox undelivered.
public struct DropReason: Sendable, Hashable, CustomStringConvertible {
  /// The reason as it is stored and shown.
  public let name: String

  /// The outbox held more items than its limit.
  public static let count = DropReason("count")
  /// The outbox held more bytes than its limit, or the item alone is larger than an item may be.
  public static let bytes = DropReason("bytes")
  /// The item waited longer than the limit.
  public static let age = DropReason("age")
  /// The item's bytes on disk are not those that were written.
  public static let unreadable = DropReason("unreadable")

  /// Makes a reason of the caller's own, such as "rejected by the server".
  ///
  /// - Parameter name: A short fixed text; every different text is one more counter.
  public init(_ name: String) {
    self.name = name
  }

  /// The name.
  public var description: String { name }
}

/// The state of an outbox at a moment.
public struct OutboxStatistics: Sendable, Hashable {
  /// How many items wait, leased ones included.
  public var count: Int
  /// The bytes of their bodies.
  public var bytes: Int
  /// When the oldest of them was accepted: milliseconds since the epoch; `nil` when the outbox is empty.
  public var oldestAcceptedAt: Int64?
  /// How many items were ever dropped from this store, by reason.
  public var dropped: [DropReason: Int]

  /// Makes statistics, for implementations of ``Outbox``.
  public init(
    count: Int = 0, bytes: Int = 0, oldestAcceptedAt: Int64? = nil, dropped: [DropReason: Int] = [:]
  ) {
    self.count = count
    self.bytes = bytes
    self.oldestAcceptedAt = oldestAcceptedAt
    self.dropped = dropped
  }
}
