// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What the system tells about the device; a computer, unless the model's name says otherwise.
public struct SystemDeviceInfo: DeviceInfo, Hashable {
  /// The kind of device.
  public let device: Device?
  /// The name of the operating system.
  public let osName: String
  /// Its version.
  public let osVersion: String
  /// The model of the device, or the architecture of the processor.
  public let model: String?
  /// The language of the process.
  public let language: String
  /// The version in the bundle's information; nil for programs without one.
  public let appVersion: String?

  /// The distance of local time from UTC now, in seconds.
  public var timeZoneOffset: Int { TimeZone.current.secondsFromGMT() }

  /// Asks the system.
  public init() {
    var names = utsname()
    let isKnown = uname(&names) == 0
    let release = isKnown ? withUnsafeBytes(of: names.release) { Self.text($0) } : ""
    model = isKnown ? withUnsafeBytes(of: names.machine) { Self.text($0) } : nil
    language = Locale.current.language.languageCode?.identifier ?? "en"
    appVersion =
      Bundle.main.object(forInfoDictionaryKey: "CFBundleShortVersionString") as? String
    device = Self.kind(ofModel: model)
    #if canImport(Darwin)
      let version = ProcessInfo.processInfo.operatingSystemVersion
      osName = Self.appleName
      osVersion = "\(version.majorVersion).\(version.minorVersion)"
    #else
      osName = isKnown ? withUnsafeBytes(of: names.sysname) { Self.text($0) } : "Linux"
      // "6.1" of "6.1.0-18-amd64": the rest tells more than anybody needs.
      osVersion = release.split(separator: ".").prefix(2).joined(separator: ".")
    #endif
  }

  private static func text(_ bytes: UnsafeRawBufferPointer) -> String {
    String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
  }

  #if canImport(Darwin)
    private static var appleName: String {
      #if os(macOS)
        "macOS"
      #elseif os(tvOS)
        "tvOS"
      #elseif os(watchOS)
        "watchOS"
      #else
        "iOS"
      #endif
    }
  #endif

  /// The kind of device by the name of its model, which any thread may ask for, unlike UIKit.
  static func kind(ofModel model: String?) -> Device {
    guard let model else { return .desktop }
    if model.hasPrefix("iPhone") || model.hasPrefix("iPod") { return .phone }
    return model.hasPrefix("iPad") ? .tablet : .desktop
  }
}
