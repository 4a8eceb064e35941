// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleEmulator
import AnoleWireRecordings

/// The recorded server: the emulator, told to answer each endpoint in the recorded order.
struct ReplayServer: Sendable {
  private let emulator: Emulator
  /// The address without a slash at the end.
  let origin: String

  /// Starts a server on a free port.
  init(_ recording: WireRecording, time: ReplayTime) throws {
    emulator = Emulator(time: TimeSource(time.clock))
    for exchange in recording.exchanges {
      if let fault = Self.fault(exchange) {
        emulator.addFault(fault, on: Self.route(exchange.endpoint))
      }
    }
    try emulator.start()
    origin = emulator.baseURL ?? ""
  }

  func stop() { emulator.stop() }

  /// Writes to the open streams.
  func push(_ text: String) { emulator.pushStreamBytes(Array(text.utf8)) }

  /// Ends the open streams.
  func closeStreams() { emulator.closeStreams() }

  /// What arrived, by endpoint, each in its order.
  func arrived(_ endpoint: WireEndpoint) -> [RecordedRequest] {
    emulator.requests(Self.route(endpoint))
  }

  /// What arrived for no endpoint.
  var strays: [RecordedRequest] { emulator.requests(.unknown) }

  /// The recorded answer; nil for a stream, which the emulator opens by itself.
  private static func fault(_ exchange: RecordedExchange) -> Fault? {
    let answer = exchange.answer
    let delay = Duration.milliseconds(answer.delayMilliseconds)
    guard let status = answer.status else { return Fault(.closeAfterReading, delay: delay) }
    if exchange.endpoint == .events, status == 200 { return nil }
    var changes = Fault.Changes()
    changes.status = status
    changes.headers = answer.headers.compactMap { header in
      guard HeaderField.isValid(name: header.name, value: header.value) else { return nil }
      return HeaderField(header.name, header.value)
    }
    changes.contentType = answer.contentType
    changes.body = answer.body
    return Fault(.answer(changes), delay: delay)
  }

  private static func route(_ endpoint: WireEndpoint) -> Route {
    switch endpoint {
    case .configuration: .dataFile
    case .events: .stream
    case .tracking: .tracking
    case .visitorData: .visitorData
    case .remoteData: .remoteData
    case .token: .token
    }
  }
}
