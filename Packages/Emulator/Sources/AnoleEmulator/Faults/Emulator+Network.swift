// SPDX-License-Identifier: Apache-2.0

extension Emulator {
  /// Lets something go wrong by chance with each request, until ``clearFaults(on:)``.
  ///
  /// Faults that wait for the route come first. Of several chances each is drawn on its own, in the
  /// order in which they were set; the first that comes true counts. Equal seeds of the emulator give
  /// equal draws for equal sequences of requests.
  /// - Parameters:
  ///   - fault: What goes wrong.
  ///   - route: The route; nil for all, then it is cleared only together with all.
  ///   - chance: How likely it is, 0…1.
  /// - Precondition: Fewer than 1,000 chances are set; the chance is 0…1; the fault's status is 200–999.
  public func addFault(_ fault: Fault, on route: Route?, chance: Double) {
    fault.check()
    precondition((0...1).contains(chance), "a chance is from 0 to 1, not \(chance)")
    let isAdded = core.change { $0.faults.add(fault, to: route, probability: chance) }
    precondition(isAdded, "\(FaultBook.maximumChances) faults by chance are set: clear them first")
  }

  /// Sets how long the emulator waits before it answers a request, in addition to a fault's delay.
  ///
  /// All times of the range are equally likely. A stream begins that much later.
  /// - Parameters:
  ///   - latency: The range; nil, as at first, for none.
  ///   - route: The route; nil for all that have no range of their own.
  /// - Precondition: The range does not begin below zero.
  public func setLatency(_ latency: ClosedRange<Duration>?, on route: Route? = nil) {
    precondition(latency.map { $0.lowerBound >= .zero } ?? true, "a latency is not negative")
    core.change { $0.faults.setLatency(latency, for: route) }
  }

  /// Sets after how long streams that are opened from now on are dropped: the connection ends in the
  /// middle of the body, as when a proxy loses patience.
  ///
  /// - Parameter lifetime: Counted from the beginning of the answer; nil, as at first, for never.
  public func setStreamLifetime(_ lifetime: Duration?) {
    core.change { $0.streamLifetime = lifetime }
  }

  /// Sets how far the platform's clock is ahead of the emulator's; negative is behind.
  ///
  /// It shows in the field `Date`, in a `Last-Modified` that is a date, in the `ts` of configuration
  /// updates, and in the time at which flags are evaluated by the platform. What is sent as it is stays
  /// so: data files, events that are not updates, the fields of faults. So do spans, such as how long a
  /// token lives.
  /// - Precondition: The skew is at most ten years.
  public func setClockSkew(_ skew: Duration) {
    let longest = Duration.seconds(3_650 * 86_400)
    precondition((.zero - longest...longest).contains(skew), "a skew is at most ten years")
    core.change { $0.clockSkew = skew }
  }
}
