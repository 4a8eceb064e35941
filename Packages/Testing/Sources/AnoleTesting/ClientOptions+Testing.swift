// SPDX-License-Identifier: Apache-2.0

public import AnoleConcurrency
public import AnoleNetworking
public import kameleoonClient

extension ClientOptions {
  /// Options for a real client in a test: nothing on disk, time and network in the test's hands.
  ///
  /// The factory keeps clients by site code and settings for the whole process: tests that run at the same
  /// time use different site codes, and close their clients.
  ///
  /// - Parameters:
  ///   - transport: What answers requests.
  ///   - clock: What waits and intervals are measured by.
  ///   - wallClock: The time of day.
  ///   - lifecycle: The application's life.
  ///   - callbackExecutor: Where callbacks run; at once by default.
  public static func testing(
    transport: any HTTPTransport, clock: ManualClock = ManualClock(),
    wallClock: ManualWallClock = ManualWallClock(),
    lifecycle: any AppLifecycle = AlwaysActive(),
    callbackExecutor: any CallbackExecutor = InlineCallbackExecutor()
  ) -> ClientOptions {
    ClientOptions(
      store: .memory, transport: transport, clock: clock, wallClock: wallClock.clock,
      callbackExecutor: callbackExecutor, lifecycle: lifecycle)
  }
}
