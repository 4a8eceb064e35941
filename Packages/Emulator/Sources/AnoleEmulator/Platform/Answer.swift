// SPDX-License-Identifier: Apache-2.0

/// What the platform answers, before a fault changes it.
struct Answer: Sendable, Hashable {
  enum Body: Sendable, Hashable {
    case bytes([UInt8])
    /// The endless body of the stream that belongs to the exchange.
    case stream
  }

  var status: Int
  var fields: [HeaderField]
  var body: Body

  static func json(_ bytes: [UInt8], status: Int = 200) -> Answer {
    Answer(
      status: status, fields: [HeaderField("Content-Type", "application/json")],
      body: .bytes(bytes))
  }

  /// An answer for people: a status and one sentence.
  static func sentence(_ status: Int, _ text: String) -> Answer {
    Answer(
      status: status, fields: [HeaderField("Content-Type", "text/plain; charset=utf-8")],
      body: .bytes(Array((text + "\n").utf8)))
  }

  static func empty(_ status: Int, fields: [HeaderField] = []) -> Answer {
    Answer(status: status, fields: fields, body: .bytes([]))
  }

  /// Sets a field in place of all others with its name.
  mutating func set(_ field: HeaderField) {
    fields.removeAll { $0.isNamed(field.name) }
    fields.append(field)
  }
}

/// What is done about a request, and in which way.
struct AnswerPlan: Sendable, Hashable {
  enum Action: Sendable, Hashable {
    /// An ordinary answer; its body may be cut or promised longer than it is.
    case answer(Answer, cutAfter: Int?, announcedLength: Int?)
    /// Bytes written to the connection as they are; then the connection is closed.
    case raw([UInt8])
    /// No answer until the client gives up or the emulator stops.
    case never
    /// The connection is closed without an answer.
    case close
  }

  var action: Action
  var delay: Duration = .zero
  var drip: Fault.Drip?
  /// Whether the connection is closed after the answer, unannounced.
  var closesAfterwards = false
  /// After how long the connection is ended, if the answer is a stream.
  var streamLifetime: Duration?

  /// For the journal: the status, or what happens instead.
  var status: Int? {
    if case .answer(let answer, _, _) = action { answer.status } else { nil }
  }
}

extension AnswerPlan {
  /// An ordinary answer as it is.
  init(_ answer: Answer) {
    self.init(action: .answer(answer, cutAfter: nil, announcedLength: nil))
  }
}
