// SPDX-License-Identifier: Apache-2.0

/// The options of commands that talk to a platform.
enum PlatformOptions {
  static let site = Option(
    "site", value: "CODE", help: "the site code; default: \(defaultSite)", isSetting: true)
  static let visitor = Option(
    "visitor", letter: "v", value: "CODE", help: "the visitor; default: demo-visitor",
    isSetting: true)
  static let environment = Option(
    "environment", value: "NAME", help: "the environment; default: the platform's",
    isSetting: true)
  static let endpoint = Option(
    "endpoint", value: "URL", help: "this server instead, as demo-cli serve prints its address",
    isSetting: true)
  static let domain = Option(
    "network-domain", value: "DOMAIN", help: "the platform's hosts in a domain of your own",
    isSetting: true)
  static let timeout = Option(
    "timeout", value: "MILLISECONDS", help: "the limit of an attempt; default: 10000",
    isSetting: true)
  static let caFile = Option(
    "ca-file", value: "FILE", help: "certificates to trust instead of the system's (PEM)",
    isSetting: true)

  static let defaultSite = "demo-site"
}
