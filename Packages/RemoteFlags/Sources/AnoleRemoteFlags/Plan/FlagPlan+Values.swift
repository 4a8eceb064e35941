// SPDX-License-Identifier: Apache-2.0

import AnoleModels

extension FlagPlan {
  /// What has to be true so that a request may leave.
  struct Conditions: Sendable, Equatable {
    /// Whether there is an address that serves flags (RF-92).
    var hasAddress = true
    /// Whether the host lets requests out (RF-95).
    var allowsCommunication = true
    /// Whether this is an app extension, which never asks (RF-94).
    var isAppExtension = false
    /// Whether `refresh` is not limited (RF-47).
    var isUnlimited = false
    /// Whether the owner has ended.
    var isClosed = false
  }

  /// Who the flags are for.
  ///
  /// The numbers tell apart what the names do not: A after B after A is another A.
  struct Subject: Sendable, Equatable {
    var application: ExactText?
    var user: ExactText
    /// Counts changes of the user.
    var userNumber = 0
    /// Counts changes of the user and of the application.
    var generation = 0
  }

  /// A set as the store keeps it.
  struct StorableFlags: Sendable, Equatable {
    let application: String
    let user: String
    /// When the request was sent: milliseconds since the epoch.
    let requestedAt: Int64
    let flags: FlagSet
  }

  /// What is to be told to listeners and to those who wait.
  struct Delivery: Sendable, Equatable {
    /// What changed, in byte order; empty if nothing did.
    var changedKeys: [String] = []
    var waiters: [Int] = []
    var error: RemoteFlagsError?
  }

  enum Action: Sendable, Equatable {
    /// Remove all stored sets and store the user, before anything else happens.
    case forget
    /// Write a complete set.
    case store(StorableFlags, generation: Int)
    /// Send a request, and report its end under this number.
    case request(Int)
    /// The answer to this request is of no interest any more.
    case cancel(Int)
    case deliver(Delivery)
  }

  /// How a request ended.
  enum Outcome: Sendable {
    case answered([FlagEntry], isComplete: Bool)
    case failed(RemoteFlagsError, retryAfter: Duration?)
    /// It did not leave after all.
    case notSent(RemoteFlagsError)
  }

  /// A moment on both clocks.
  struct Now: Sendable {
    /// On the monotonic clock.
    let moment: Duration
    /// Milliseconds since the epoch.
    let wall: Int64
  }
}
