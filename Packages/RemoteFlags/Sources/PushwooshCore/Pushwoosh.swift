// SPDX-License-Identifier: Apache-2.0

import AnoleRemoteFlags

/// The entry point.
public enum Pushwoosh: Sendable {
  /// The configuration, whose members are static.
  public static var configure: PushwooshConfig.Type { PushwooshConfig.self }
}

/// The settings of the process and the way to its feature flags.
///
/// A setting is taken from the first place that has it: a call here, the environment variable of its name,
/// the file that the environment variable `Pushwoosh_SETTINGS_FILE` names, `Info.plist` on Apple systems.
/// Any thread may call it.
public final class PushwooshConfig: Sendable {
  private init() {}

  /// The feature flags of the process.
  ///
  /// Unless the host has an `AppLifecycle`, the first use starts the session.
  public static var featureFlags: PWFeatureFlags { PushwooshRuntime.shared.featureFlags }

  // MARK: Identity

  /// Changes the application code; one that cannot be used is ignored.
  public static func setAppCode(_ appCode: String) { PushwooshRuntime.shared.setAppCode(appCode) }

  /// The application code; nil until there is one.
  public static func getAppCode() -> String? { PushwooshRuntime.shared.client.applicationCode }

  /// Changes the device API token.
  public static func setApiToken(_ apiToken: String) {
    PushwooshRuntime.shared.setApiToken(apiToken)
  }

  /// The device's id.
  public static func getHWID() -> String { PushwooshRuntime.shared.client.deviceID }

  /// The User ID; the device's id until one was set.
  public static func getUserId() -> String { PushwooshRuntime.shared.client.userID }

  /// Changes the User ID; see ``setUserId(_:completion:)``.
  public static func setUserId(_ userId: String) {
    PushwooshRuntime.shared.client.setUserID(userId)
  }

  /// Changes the User ID.
  ///
  /// When the call returns, the flags of the former user are gone from memory and from the store. The id is
  /// trimmed; a blank one and the one in force change nothing.
  ///
  /// - Parameters:
  ///   - userId: The new User ID.
  ///   - completion: Called once on the main thread, with nil when the server knows the user.
  public static func setUserId(_ userId: String, completion: (((any Error)?) -> Void)?) {
    PushwooshRuntime.shared.setUserId(userId, completion)
  }

  // MARK: Communication

  /// Sends everything through a server of the application's owner.
  ///
  /// Flags are asked for only if the URL ends in `json/1.3/`. Ignored when the setting
  /// `Pushwoosh_ALLOW_REVERSE_PROXY` is there and false.
  public static func setReverseProxy(_ url: String, headers: [String: String]?) {
    PushwooshRuntime.shared.setReverseProxy(ReverseProxy(url: url, headers: headers ?? [:]))
  }

  /// Lets requests out again.
  public static func startServerCommunication() {
    PushwooshRuntime.shared.setCommunication(true)
  }

  /// Lets no request out from now on.
  public static func stopServerCommunication() {
    PushwooshRuntime.shared.setCommunication(false)
  }

  /// Whether requests may leave.
  public static func isServerCommunicationAllowed() -> Bool {
    PushwooshRuntime.shared.client.isServerCommunicationAllowed
  }

  // MARK: Host

  /// The device has registered for push with the platform; called by the host.
  public static func pushRegistrationSucceeded() {
    PushwooshRuntime.shared.client.registeredForPush()
  }

  /// Gives what the operating system does not: see ``PushwooshHost``.
  ///
  /// To be called before anything else. Later it ends what was made with the former host, and forgets what
  /// was set by calls.
  public static func setHost(_ host: PushwooshHost) { PushwooshRuntime.shared.setHost(host) }
}
