// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleModels

/// The rules by which records age and visits begin (network specification, sections 3.7 and 3.8).
struct VisitorKeeper: Sendable {
  private let expiration: Duration?
  private let wallClock: WallClock
  private let device: AnoleModels.Device?
  private let system: OperatingSystem?
  private let applicationVersion: String?

  /// Makes the rules.
  ///
  /// - Parameters:
  ///   - expiration: after how long data expire; nil for never.
  ///   - wallClock: the time of day.
  ///   - deviceInfo: describes the device.
  init(expiration: Duration?, wallClock: WallClock, deviceInfo: any DeviceInfo) {
    self.expiration = expiration
    self.wallClock = wallClock
    device = deviceInfo.device?.model
    system = OperatingSystem(named: deviceInfo.osName)
    applicationVersion = deviceInfo.appVersion
  }

  /// The time now.
  var now: Timestamp { Timestamp(milliseconds: wallClock.milliseconds) }

  /// Whether data expire at all.
  var expires: Bool { expiration != nil }

  /// Drops the data that are too old; what the device tells stays known.
  func expire(_ record: inout VisitorRecord, at now: Timestamp) {
    guard let expiration else { return }
    let (limit, isOverflow) = now.milliseconds.subtractingReportingOverflow(
      expiration.wholeMilliseconds)
    guard !isOverflow else { return }
    record.expireData(addedBefore: Timestamp(milliseconds: limit))
    guard let profile = record.profile else { return }
    if profile.device == nil, let device { add(.device(device), to: &record, at: now) }
    if profile.operatingSystem == nil, let system {
      add(.operatingSystem(system), to: &record, at: now)
    }
    if profile.applicationVersion == nil { noteApplication(in: &record, at: now) }
  }

  /// Notes the application's version, for conditions; it is never sent.
  func noteApplication(in record: inout VisitorRecord, at now: Timestamp) {
    guard let applicationVersion else { return }
    add(.applicationVersion(applicationVersion), to: &record, at: now)
  }

  /// Notes that the visitor does something; with a new visit, device and system are reported again.
  ///
  /// A device that the application gave stays.
  ///
  /// - Returns: whether a new visit began.
  @discardableResult
  func noteActivity(in record: inout VisitorRecord, at now: Timestamp) -> Bool {
    guard record.noteActivity(at: now) else { return false }
    let present = record.profile
    let data = [
      (present?.device ?? device).map(VisitorDatum.device),
      (system ?? present?.operatingSystem).map(VisitorDatum.operatingSystem),
    ]
    for datum in data.compactMap({ $0 }) { add(datum, to: &record, isTracked: true, at: now) }
    return true
  }

  /// Adds a datum that is no custom datum, so that neither code nor catalogue matters.
  private func add(
    _ datum: VisitorDatum, to record: inout VisitorRecord, isTracked: Bool = false,
    at now: Timestamp
  ) {
    record.add(
      datum, visitorCode: "", from: .application(isTracked: isTracked), at: now,
      catalogue: CustomDataCatalogue())
  }
}

extension OperatingSystem {
  /// The system by the name that a device gives; nil for one that the platform does not know.
  init?(named name: String) {
    switch name.lowercased() {
    case "ios", "ipados", "tvos", "watchos", "visionos": self = .iOS
    case "macos": self = .mac
    case "linux": self = .linux
    case "windows": self = .windows
    case "android": self = .android
    default: return nil
    }
  }
}
