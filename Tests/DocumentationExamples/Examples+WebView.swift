// SPDX-License-Identifier: Apache-2.0

// K-16 and K-17 exist on Apple systems only; elsewhere `visitorCodeCookie(domain:)` gives a header.
#if canImport(SwiftUI) && canImport(WebKit) && canImport(UIKit)

  import SwiftUI
  import WebKit
  import kameleoonClient

  /// Hands the visitor code to a web view as a cookie that lasts a year (K-16).
  struct CookieWebView: UIViewRepresentable {
    let url: URL
    let visitorCode: String

    func makeUIView(context: Context) -> WKWebView {
      let webView = WKWebView()
      let cookie = HTTPCookie(properties: [
        .name: "kameleoonVisitorCode", .value: visitorCode, .path: "/",
        .domain: ".example.com", .secure: "TRUE",
        .expires: Date(timeIntervalSinceNow: 365 * 24 * 3600),
      ])
      if let cookie {
        webView.configuration.websiteDataStore.httpCookieStore.setCookie(cookie) {
          webView.load(URLRequest(url: url))
        }
      }
      return webView
    }

    func updateUIView(_ webView: WKWebView, context: Context) {}
  }

  /// The same with the web view of SwiftUI (K-17); the struct may not be called `WebView`.
  @available(iOS 26, *)
  struct VisitorPage: View {
    let url: URL
    let visitorCode: String
    @State private var page = WebPage()

    var body: some View {
      WebView(page)
        .task {
          let cookie = HTTPCookie(properties: [
            .name: "kameleoonVisitorCode", .value: visitorCode, .path: "/",
            .domain: ".example.com", .secure: "TRUE",
          ])
          if let cookie {
            await WKWebsiteDataStore.default().httpCookieStore.setCookie(cookie)
          }
          page.load(URLRequest(url: url))
        }
    }
  }

#endif
