// SPDX-License-Identifier: Apache-2.0

/// A request that was checked and can go on the wire: one hop of a ``RedirectPlan``.
struct OutgoingRequest: Sendable, Hashable {
  var method: HTTPRequest.Method
  var address: HTTPAddress
  var headers: [HTTPHeaders.Field]
  var body: [UInt8]?
  var followsRedirects: Bool

  /// Checks a request and completes its headers.
  ///
  /// - Parameters:
  ///   - request: What the caller wants to send.
  ///   - additional: Headers for this request; a name that the request has itself is left out.
  init(_ request: HTTPRequest, adding additional: HTTPHeaders) throws(HTTPError) {
    method = request.method
    address = try HTTPAddress(request.url)
    body = request.body
    followsRedirects = request.followsRedirects
    headers = request.headers.fields
    headers += additional.fields.filter { request.headers[$0.name] == nil }
    if method == .get, body != nil {
      throw HTTPError(code: .invalidRequest, message: "a GET request has a body")
    }
    for field in headers {
      try Self.check(field)
    }
  }

  private static func check(_ field: HTTPHeaders.Field) throws(HTTPError) {
    guard FieldSyntax.isName(field.name) else {
      throw HTTPError(
        code: .invalidRequest, message: "a header's name is empty or has forbidden characters")
    }
    guard FieldSyntax.isValue(field.value) else {
      throw HTTPError(
        code: .invalidRequest,
        message: "the value of header \(field.name) has a control character")
    }
    // The transport frames the body; a second opinion would split the request in two.
    let framing = ["content-length", "transfer-encoding"]
    guard !framing.contains(ASCIIText.lowercased(field.name)) else {
      throw HTTPError(
        code: .invalidRequest, message: "header \(field.name) is set by the transport")
    }
  }
}
