// SPDX-License-Identifier: Apache-2.0

/// Reads the head of an answer line by line.
///
/// A pure value. Heads of informational answers (1xx) are read and forgotten, trailers are counted
/// and ignored: a field that decides something must not come behind the body.
struct AnswerHead {
  enum Event: Equatable {
    case more
    /// The last line of the final head was read.
    case complete
  }

  private enum State {
    /// Nothing, or an informational answer, was read. Next: `fields`.
    case status
    /// The status line was read. Next: `complete`, or `status` behind an informational answer.
    case fields
    /// What still comes are trailers.
    case complete
  }

  /// The greatest size of all heads and trailers of one answer, in bytes: 16 times what common
  /// servers send at most.
  static let sizeLimit = 256 << 10

  private(set) var status = 0
  private(set) var headers: HTTPHeaders = [:]
  private var state = State.status
  private var size = 0
  private var pending: (name: String, value: String)?

  /// True when the final head has been read to its end.
  var isComplete: Bool {
    if case .complete = state { return true }
    return false
  }

  mutating func receive(_ line: UnsafeRawBufferPointer) throws(HTTPError) -> Event {
    size += line.count
    guard size <= Self.sizeLimit else {
      throw HTTPError(
        code: .malformedAnswer, message: "the headers are larger than \(Self.sizeLimit) bytes")
    }
    var content = line[...]
    while let last = content.last, last == 0x0a || last == 0x0d { content.removeLast() }
    switch state {
    case .status: try readStatus(content)
    case .fields where content.isEmpty: return try finish()
    case .fields: readField(content)
    case .complete: break
    }
    return .more
  }

  private mutating func readStatus(_ line: Slice<UnsafeRawBufferPointer>) throws(HTTPError) {
    let parts = line.split(separator: 0x20, maxSplits: 2)
    guard parts.count >= 2, parts[1].count == 3,
      let number = Int(String(decoding: parts[1], as: UTF8.self))
    else { throw HTTPError(code: .malformedAnswer, message: "the answer has no status") }
    status = number
    headers = [:]
    state = .fields
  }

  private mutating func readField(_ line: Slice<UnsafeRawBufferPointer>) {
    if let first = line.first, first == 0x20 || first == 0x09, let previous = pending {
      // A folded line, which old servers still send.
      pending = (previous.name, previous.value + " " + FieldSyntax.trimmed(line))
      return
    }
    flush()
    // A line without a colon is no field; HTTP libraries skip it, and so do we.
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex else {
      return
    }
    pending = (
      FieldSyntax.trimmed(line[..<colon]),
      FieldSyntax.trimmed(line[line.index(after: colon)...])
    )
  }

  private mutating func flush() {
    if let field = pending { headers.append(name: field.name, value: field.value) }
    pending = nil
  }

  private mutating func finish() throws(HTTPError) -> Event {
    flush()
    if (100...199).contains(status) {
      state = .status
      return .more
    }
    guard (200...599).contains(status) else {
      throw HTTPError(code: .malformedAnswer, message: "the answer's status is \(status)")
    }
    state = .complete
    return .complete
  }
}
