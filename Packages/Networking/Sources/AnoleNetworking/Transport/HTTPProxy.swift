// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Which proxy requests go through.
///
/// | made by | `http` addresses | `https` addresses |
/// | --- | --- | --- |
/// | ``none`` | direct | direct |
/// | ``fixed(_:except:)`` | the given proxy | the given proxy |
/// | ``environment(_:)`` | `http_proxy`, else `all_proxy` | `https_proxy`, else `all_proxy` |
///
/// Proxies are written `[scheme://][user:password@]host[:port]`; the scheme is `http` (the default),
/// `https` or `socks5h`. Exceptions are host names, which include their subdomains, addresses,
/// networks like `10.0.0.0/8`, or `*` for all.
public struct HTTPProxy: Sendable, Hashable {
  let http: String?
  let https: String?
  let exceptions: String

  /// No proxy, whatever the environment says.
  public static let none = HTTPProxy(http: nil, https: nil, exceptions: "")

  /// One proxy for all requests but those to the exceptions.
  ///
  /// - Parameters:
  ///   - proxy: The proxy's address.
  ///   - exceptions: The hosts that are reached directly.
  public static func fixed(_ proxy: String, except exceptions: [String] = []) -> HTTPProxy {
    HTTPProxy(http: proxy, https: proxy, exceptions: exceptions.joined(separator: ","))
  }

  /// The proxies that the usual environment variables name, read once by this call.
  ///
  /// `HTTP_PROXY` in upper case is not read: a CGI host lets its callers set it. Of the others the
  /// lower-case form comes first. Empty variables count as missing.
  ///
  /// - Parameter variable: Gives the value of a variable; the process's environment by default.
  public static func environment(
    _ variable: (_ name: String) -> String? = HTTPProxy.environmentVariable
  ) -> HTTPProxy {
    func first(_ names: String...) -> String? {
      names.lazy.compactMap(variable).first { !$0.isEmpty }
    }
    let all = first("all_proxy", "ALL_PROXY")
    return HTTPProxy(
      http: first("http_proxy") ?? all,
      https: first("https_proxy", "HTTPS_PROXY") ?? all,
      exceptions: first("no_proxy", "NO_PROXY") ?? "")
  }

  /// The value of a variable of the process's environment.
  ///
  /// - Parameter name: The variable's name.
  /// - Returns: Its value; nil if it is not set.
  public static func environmentVariable(_ name: String) -> String? {
    guard let value = getenv(name) else { return nil }
    return String(cString: value)
  }
}
