// SPDX-License-Identifier: Apache-2.0

public import AnoleNetworking

extension Tracker {
  /// How a tracker works.
  ///
  /// | setting | default | limits |
  /// | --- | --- | --- |
  /// | ``interval`` | 1 s | 1…5 s |
  /// | ``compression`` | gzip, level 6 | |
  /// | ``userAgent`` | none | |
  /// | ``batchCharacters`` | 2,621,440 | at least 1 |
  /// | ``bufferedEvents`` | 20,000 | at least 1 |
  /// | ``bufferedBytes`` | 4 MiB | at least 1 |
  /// | ``queuedVisitors`` | 30,000 | at least 1 |
  public struct Settings: Sendable, Hashable {
    /// How bodies are sent.
    public enum Compression: Sendable, Hashable {
      /// Compressed, if they have 256 bytes or more, until the server turns out not to take it.
      case gzip(CompressionLevel)
      /// As they are.
      case identity
    }

    /// The bounds of ``interval``.
    public static let intervals: ClosedRange<Duration> = .seconds(1) ... .seconds(5)
    /// The default of ``batchCharacters``, 2,560 × 1,024: below the server's limit of 3 MB.
    public static let defaultBatchCharacters = 2_560 * 1_024
    /// The default of ``bufferedEvents``: what some thousand events a second need until the next
    /// interval, in a few megabytes.
    public static let defaultBufferedEvents = 20_000
    /// The default of ``bufferedBytes``.
    public static let defaultBufferedBytes = 4 << 20
    /// The default of ``queuedVisitors``: their codes take a few megabytes.
    public static let defaultQueuedVisitors = 30_000

    /// The time between two ticks; set to the nearest bound of ``intervals`` if it lies outside.
    public var interval: Duration {
      get { clampedInterval }
      set { clampedInterval = Self.clamped(newValue) }
    }
    private var clampedInterval: Duration

    /// How bodies are sent.
    public var compression: Compression
    /// The text that the first line of each visitor carries: that of the header `User-Agent`.
    public var userAgent: String?
    /// A request takes no further visitor when its lines have more characters than this.
    public var batchCharacters: Int
    /// The most events that are held in memory; at half of it they are handed over early, beyond it
    /// the newest are dropped and counted.
    public var bufferedEvents: Int
    /// The most bytes of events that are held in memory; as ``bufferedEvents``.
    public var bufferedBytes: Int
    /// The most visitors that are queued in memory; as ``bufferedEvents``.
    public var queuedVisitors: Int

    /// Makes settings; see the table for defaults and limits.
    public init(
      interval: Duration = Settings.intervals.lowerBound,
      compression: Compression = .gzip(.balanced), userAgent: String? = nil,
      batchCharacters: Int = Settings.defaultBatchCharacters,
      bufferedEvents: Int = Settings.defaultBufferedEvents,
      bufferedBytes: Int = Settings.defaultBufferedBytes,
      queuedVisitors: Int = Settings.defaultQueuedVisitors
    ) {
      clampedInterval = Self.clamped(interval)
      self.compression = compression
      self.userAgent = userAgent
      self.batchCharacters = batchCharacters
      self.bufferedEvents = bufferedEvents
      self.bufferedBytes = bufferedBytes
      self.queuedVisitors = queuedVisitors
    }

    private static func clamped(_ interval: Duration) -> Duration {
      min(max(interval, intervals.lowerBound), intervals.upperBound)
    }

    var intakeLimits: Intake.Limits {
      Intake.Limits(
        visitors: max(1, queuedVisitors), events: max(1, bufferedEvents),
        bytes: max(1, bufferedBytes))
    }
  }
}
