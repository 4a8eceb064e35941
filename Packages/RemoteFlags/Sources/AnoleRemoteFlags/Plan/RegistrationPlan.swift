// SPDX-License-Identifier: Apache-2.0

/// Tells the server one user at a time, so that the one it hears of last is the one in force.
///
/// A pure value. A newer user replaces one that waits and has the call for an older one cancelled.
struct RegistrationPlan: Sendable {
  /// A user to tell, and who wants to know how that ended.
  struct Order: Sendable {
    let user: String
    let completion: (@Sendable (RemoteFlagsError?) -> Void)?
  }

  /// What to do next.
  struct Step: Sendable {
    /// A call to make; its end is reported under the number.
    var start: (number: Int, order: Order)?
    /// The number of a call that is of no interest any more.
    var cancel: Int?
    /// An order that is not carried out.
    var replaced: Order?
  }

  private var running: Int?
  private var waiting: Order?
  private var nextNumber = 0

  mutating func add(_ order: Order) -> Step {
    guard let running else { return Step(start: next(order)) }
    defer { waiting = order }
    return Step(cancel: running, replaced: waiting)
  }

  mutating func end(_ number: Int) -> Step {
    guard running == number else { return Step() }
    running = nil
    guard let order = waiting else { return Step() }
    waiting = nil
    return Step(start: next(order))
  }

  private mutating func next(_ order: Order) -> (number: Int, order: Order) {
    nextNumber += 1
    running = nextNumber
    return (nextNumber, order)
  }
}
