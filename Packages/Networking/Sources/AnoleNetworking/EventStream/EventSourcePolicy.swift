// SPDX-License-Identifier: Apache-2.0

/// The times and limits of an ``EventSource``.
public struct EventSourcePolicy: Sendable, Hashable {
  /// The pause before a lost stream is opened again.
  public var pause: Duration
  /// The greatest share of the pause that is added by chance, 0 or more.
  public var jitter: Double
  /// The longest pause that the server may ask for with `retry:`.
  ///
  /// It can ask for no shorter one than ``pause``.
  public var longestPause: Duration
  /// The limit from the start of connecting to the head of the answer.
  public var connectLimit: Duration
  /// The limit without a byte; then the connection counts as lost.
  public var silenceLimit: Duration
  /// Whether the id of the last event goes out as `Last-Event-ID` when the stream is opened again.
  public var sendsLastEventID: Bool
  /// The limits of the parser.
  public var parserLimits: ServerSentEventParser.Limits
  /// The most updates that wait for the consumer.
  ///
  /// If it lags further behind, the oldest are dropped and the connection counts as lost, so that
  /// it hears of the gap.
  public var bufferSize: Int

  /// The platform's rules: 3 s plus up to 20 percent, for ever and without growth; 10 s for
  /// connecting; 5 minutes of silence; no `Last-Event-ID`.
  public static let platform = EventSourcePolicy()

  /// Makes a policy; without arguments ``platform``.
  public init(
    pause: Duration = .seconds(3), jitter: Double = 0.2, longestPause: Duration = .seconds(60),
    connectLimit: Duration = .seconds(10), silenceLimit: Duration = .seconds(300),
    sendsLastEventID: Bool = false, parserLimits: ServerSentEventParser.Limits = .standard,
    bufferSize: Int = 256
  ) {
    self.pause = pause
    self.jitter = max(0, jitter)
    self.longestPause = max(pause, longestPause)
    self.connectLimit = connectLimit
    self.silenceLimit = silenceLimit
    self.sendsLastEventID = sendsLastEventID
    self.parserLimits = parserLimits
    self.bufferSize = max(1, bufferSize)
  }
}
