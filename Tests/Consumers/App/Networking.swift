// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleNetworking
import AnoleNetworkingTesting

private struct Echo: HTTPTransport {
  func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
    HTTPResponse(
      status: 200, headers: ["Content-Type": "application/json"], body: Array(#"{"a":1}"#.utf8))
  }

  func open(_ request: HTTPRequest) async throws(HTTPError) -> HTTPStream {
    let (body, continuation) = AsyncThrowingStream.makeStream(of: [UInt8].self)
    continuation.yield(Array("data: 1\n\n".utf8))
    continuation.finish()
    return HTTPStream(status: 200, headers: ["Content-Type": "text/event-stream"], body: body)
  }
}

func useNetworking() async throws {
  useMessages()
  try useCompression()
  useEndpoints()
  try await useTransport()
  try await usePolicies()
  try await useEventStream()
  try await useLoopback()
}

private func useMessages() {
  let libraries: NetworkingLibraries = .loaded
  print(
    libraries.curl ?? "", libraries.tls ?? "", libraries.hasHTTP2, libraries.zlib,
    libraries.caFile ?? "", libraries.caFolder ?? "")
  var request = HTTPRequest(
    method: HTTPRequest.Method.post, url: "https://example.com", headers: [:], body: [1],
    timeout: .seconds(1), connectTimeout: .seconds(1),
    maximumBodySize: HTTPRequest.defaultMaximumBodySize)
  request.method = .get
  request.url += "/a"
  request.headers["A"] = "1"
  request.headers.append(name: "A", value: "2")
  request.body = nil
  request.timeout = nil
  request.connectTimeout = nil
  request.maximumBodySize = 10
  request.followsRedirects = false
  print(request.headers.values(of: "a"), request.headers["a"] ?? "")
  for field: HTTPHeaders.Field in request.headers.fields { print(field.name, field.value) }
  print(HTTPHeaders.Field(name: "a", value: "b") == HTTPHeaders.Field(name: "a", value: "b"))
  let response = HTTPResponse(status: 200, headers: [:], body: [])
  print(response.status, response.headers.fields.count, response.body.count)
  let codes: [HTTPError.Code] = [
    .invalidRequest, .resolveFailed, .connectFailed, .tlsFailed, .timedOut, .cancelled,
    .connectionLost, .malformedAnswer, .bodyTooLarge, .tooManyRedirects, .other,
  ]
  for code in codes {
    let error = HTTPError(code: code, message: "m")
    print(error.code.description, error.message, error.description)
  }
  print(HTTPUserAgent("app/1").description, HTTPUserAgent.standard(name: "app", version: "1"))
  print(HTTPProxy.none == HTTPProxy.fixed("http://proxy:1", except: ["localhost"]))
  print(HTTPProxy.environment() == .none, HTTPProxy.environment { _ in nil } == .none)
  print(HTTPProxy.environmentVariable("HOME") == nil)
}

private func useCompression() throws {
  let bytes = Array(repeating: UInt8(ascii: "a"), count: 1_000)
  let levels: [CompressionLevel?] = [.fastest, .balanced, .smallest, CompressionLevel(3)]
  print(levels.map { $0?.value ?? 0 })
  let format: CompressionFormat = .gzip
  let packed = try Gzip.compress(bytes, level: .fastest, format: format)
  var limits = DecompressionLimits(maximumSize: 2_000, maximumRatio: 500)
  limits.maximumSize = DecompressionLimits.defaultMaximumSize
  limits.maximumRatio = DecompressionLimits.defaultMaximumRatio
  print(DecompressionLimits.ratioFloor, limits == .standard)
  print(try Gzip.decompress(packed, format: format, limits: limits) == bytes)
  var output: [UInt8] = []
  var compressor = try GzipCompressor(level: .balanced, format: .zlib)
  compressor.append(bytes, into: &output)
  compressor.finish(into: &output)
  var result: [UInt8] = []
  var decompressor = try GzipDecompressor(format: nil, limits: .standard)
  try decompressor.append(output, into: &result)
  try decompressor.finish()
  do throws(GzipError) {
    _ = try Gzip.decompress([1, 2, 3])
  } catch {
    let code: GzipError.Code = error.code
    let codes: [GzipError.Code] = [.corrupt, .truncated, .tooLarge, .ratioExceeded, .outOfMemory]
    print(codes.contains(code), code.description, error.message, error.description)
  }
}

private func useEndpoints() {
  let reading: NetworkDomain.Reading = NetworkDomain.read("https://example.com")
  let diagnostic: NetworkDomain.Diagnostic? = reading.diagnostic
  print(reading.domain?.name ?? "", diagnostic?.description ?? "")
  var hosts = PlatformHosts(networkDomain: reading.domain)
  print(hosts.apply(dataApiDomain: "eu-data.example.com"))
  print(hosts.configuration, hosts.events, hosts.data, hosts.accessToken, PlatformHosts.eventsPort)
  let identity = ClientIdentity(name: "SWIFT", version: "4.0.0")
  print(identity.name, identity.version)
  var urls = PlatformURLs(
    siteCode: "site", environment: "staging", identity: identity, hosts: hosts, overrides: [:])
  for endpoint in PlatformEndpoint.allCases {
    urls.overrides[endpoint] = EndpointAddress(scheme: "http", host: "127.0.0.1", port: 80)
  }
  urls.hosts = PlatformHosts()
  let address = EndpointAddress(port: nil)
  print(address.scheme, address.host, address.port ?? 0)
  var query = VisitorDataQuery(
    visitorCode: "v", isUniqueIdentifier: false, previousVisitCount: 2,
    parts: Set(VisitorDataQuery.Part.allCases))
  query.visitorCode = "w"
  query.isUniqueIdentifier = true
  query.previousVisitCount = VisitorDataQuery.previousVisitRange.upperBound
  query.parts = [.pages]
  print(
    urls.siteCode, urls.environment ?? "", urls.identity.name, urls.configuration(timestamp: 1),
    urls.events(), urls.tracking(), urls.visitorData(query), urls.mapData(key: "k"),
    urls.accessToken())
  let agent = UserAgent(name: "app", version: "1", model: "m", system: "s", systemVersion: "2")
  let requests = PlatformRequests(
    urls: urls, userAgent: agent, timeout: PlatformRequests.defaultTimeout)
  print(requests.urls.siteCode, requests.userAgent.text, requests.timeout)
  print(requests.configuration(timestamp: nil, validators: nil).url, requests.events().url)
  print(requests.tracking(body: [1]).url, requests.visitorData(query, timeout: .seconds(1)).url)
  print(requests.mapData(key: "k", timeout: nil).url)
  if let credentials = ClientCredentials(id: "id", secret: "secret") {
    print(requests.accessToken(credentials, timeout: nil).url, credentials.description)
    print(credentials.basicAuthorization)
  }
  var text = QueryText()
  text.append("a", "b")
  text.append("n", Int64(1))
  text.append("f", flag: true)
  print(text.text, PercentEncoding.encode("a b"), PercentEncoding.isPlain.count)
}

private func useTransport() async throws {
  var configuration = CurlTransport.Configuration(
    userAgent: .standard(), caFile: nil, proxy: .none,
    maximumConnectionsPerHost: CurlTransport.Configuration.defaultConnectionsPerHost,
    maximumConnections: CurlTransport.Configuration.defaultConnections, requestHeaders: { _ in [:] }
  )
  configuration.userAgent = HTTPUserAgent("consumer")
  configuration.caFile = nil
  configuration.proxy = .none
  configuration.maximumConnectionsPerHost = 1
  configuration.maximumConnections = 1
  configuration.requestHeaders = { _ in ["A": "b"] }
  let transport = CurlTransport(configuration)
  // Nobody listens on this port.
  let request = HTTPRequest(url: "http://127.0.0.1:9/", timeout: .seconds(5))
  do { print(try await transport.send(request).status) } catch { print(error.code) }
  do { print(try await transport.open(request).status) } catch { print(error.code) }
  let cancellation: HTTPCancellation = transport.send(
    request, executor: SerialCallbackExecutor(label: "consumer")
  ) { _ in }
  cancellation.cancel()
  transport.shutdown()
}

private func usePolicies() async throws {
  for effective in [
    ParameterValues.trackingInterval(milliseconds: 1), ParameterValues.refreshInterval(minutes: 0),
    ParameterValues.timeout(milliseconds: nil),
  ] as [ParameterValues.Effective<Duration>] {
    print(effective.value, effective.warning ?? "")
  }
  print(ParameterValues.activityInterval(milliseconds: 0).value ?? .zero)
  print(ParameterValues.dataExpiration(minutes: 1) ?? .zero, ParameterValues.trackingIntervalRange)
  print(
    ParameterValues.defaultRefreshInterval, ParameterValues.defaultTimeout,
    ParameterValues.activityInterval)

  if let token = AccessToken(value: "t", lifetime: 60) {
    print(token.value, token.lifetime, token.expiresAfter, token.isObsoleteAfter, token.description)
  }
  print(AccessToken(answer: []) == nil)
  let tokens = AccessTokenSource(
    transport: Echo(), clock: ContinuousClock(),
    report: { (failure: AccessTokenSource.Failure) in print(failure.description) },
    request: { _ in HTTPRequest(url: "https://example.com") })
  print(await tokens.token(timeout: .seconds(1)) ?? "none")
  tokens.discard("t")

  let policy = RetryPolicy(attempts: 1, pause: .zero)
  print(policy.attempts, policy.pause, RetryPolicy.configuration == .tracking)
  print(RetryPolicy.remoteData == .accessToken)
  let rule: StatusRule = .platform
  print(rule.accepts(403), StatusRule.successful.accepts(403))
  let sender = RequestSender(transport: Echo(), tokens: tokens, clock: ContinuousClock())
  do throws(RequestError) {
    let answer = try await sender.send(
      HTTPRequest(url: "https://example.com"), policy: policy, rule: rule, isAuthorized: false)
    print(answer.status)
  } catch {
    print(error.description)
  }
  await tokens.shutdown()

  let validators = CacheValidators(lastModified: "x", entityTag: "y")
  var headers: HTTPHeaders = [:]
  validators.add(to: &headers)
  print(validators.lastModified ?? "", validators.entityTag ?? "", validators.isEmpty)
  print(CacheValidators(headers).isEmpty)
  let fetch = ConditionalFetch(
    transport: Echo(), policy: .configuration, clock: ContinuousClock())
  do throws(ConditionalFetchError) {
    let outcome: ConditionalFetch.Outcome<Int> = try await fetch.fetch(
      HTTPRequest(url: "https://example.com"), validators: validators
    ) { $0.count }
    switch outcome {
    case .changed(let size, let validators): print(size, validators.isEmpty)
    case .unchanged: print("unchanged")
    }
  } catch {
    let codes: [ConditionalFetchError.Code] = [
      .refused, .forbidden, .notModifiedWithoutCopy, .wrongContentType, .emptyDocument,
      .unreadable, .failed, .cancelled,
    ]
    print(codes.contains(error.code), error.code.description, error.message, error.description)
  }
  print(RetryAfter.delay("5", now: .system) ?? .zero, RetryAfter.longestDelay)
  print(RetryAfter.delay(of: HTTPResponse(status: 429), now: .system) ?? .zero)
  print(
    RetryAfter.delay(status: 503, headers: [:], now: .system, atMost: .seconds(9)) ?? .zero)
  print(HTTPDate.seconds("Sun, 06 Nov 1994 08:49:37 GMT") ?? 0, HTTPDate.text(seconds: 0))
}

private func useEventStream() async throws {
  let limits = ServerSentEventParser.Limits(lineSize: 100, eventSize: 1_000)
  print(limits.lineSize, limits.eventSize, limits == .standard)
  var parser = ServerSentEventParser(lastEventID: "", limits: limits)
  do throws(ServerSentEventError) {
    for event: ServerSentEvent in try parser.parse(Array("data: 1\n\n".utf8)) {
      print(event.type, event.data, event.lastEventID)
    }
  } catch {
    let code: ServerSentEventError.Code = error.code
    print(code == .lineTooLong, code == .eventTooLarge, code.description, error.limit)
    print(error.description)
  }
  print(parser.lastEventID, parser.retry ?? .zero)
  print(ServerSentEvent(type: "message", data: "d", lastEventID: "") == ServerSentEvent(data: "d"))
  var policy = EventSourcePolicy(
    pause: .seconds(1), jitter: 0, longestPause: .seconds(2), connectLimit: .seconds(3),
    silenceLimit: .seconds(4), sendsLastEventID: true, parserLimits: limits, bufferSize: 8)
  policy.pause = .seconds(2)
  policy.jitter = 0.1
  policy.longestPause = .seconds(3)
  policy.connectLimit = .seconds(4)
  policy.silenceLimit = .seconds(5)
  policy.sendsLastEventID = false
  policy.parserLimits = .standard
  policy.bufferSize = 16
  print(policy == EventSourcePolicy.platform)
  let source = EventSource(
    HTTPRequest(url: "https://example.com"), transport: Echo(), policy: policy,
    clock: ContinuousClock(), random: RandomSource())
  source.start()
  for await update: EventSource.Update in source.updates {
    guard case .lost(let loss, let pause) = update else { continue }
    let reason: EventStreamLoss = loss
    print(reason.description, pause)
    break
  }
  print(source.hasConnection, source.isPausing)
  await source.close()
}

private func useLoopback() async throws {
  let script: LoopbackServer.Script = { (connection: LoopbackConnection) in
    guard let first: LoopbackRequest = connection.readRequest() else { return }
    connection.answer(headers: ["X-Line: \(first.line)"], body: first.body)
    connection.serve { request in
      connection.answer("404 Not Found", text: request.bodyText)
    }
    connection.write("rest")
    connection.write([1])
    print(connection.read()?.count ?? 0)
    connection.waitForClose()
    connection.abort()
    connection.close()
  }
  let families: [LoopbackServer.Family] = [.v4, .v6]
  for family in families {
    guard
      let server = LoopbackServer(family: family, backlog: 8, accepts: true, records: true, script)
    else { continue }
    let transport = CurlTransport(CurlTransport.Configuration(proxy: .none))
    let response = try await transport.send(HTTPRequest(url: server.url("/a"), timeout: nil))
    transport.shutdown()
    print(response.status, server.origin.isEmpty, server.port > 0, server.connectionCount)
    for request in server.requests {
      print(request.headers.count, request.values(of: "Host"), request.raw.count)
    }
    server.stop()
  }
  guard CertificateFolder.isAvailable else { return }
  let size = try await onThread {
    let folder = try CertificateFolder()
    defer { folder.remove() }
    try folder.make(
      "leaf", alternativeName: "IP:127.0.0.1", isExpired: false, selfSigned: true)
    return folder.authority.count - folder.path.count
  }
  print(size, CertificateFolder.Failure.self)
}
