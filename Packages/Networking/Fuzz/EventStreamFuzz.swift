// SPDX-License-Identifier: Apache-2.0

/// Any bytes, in any pieces, are read as one stream: whole or byte by byte gives the same events.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  let whole = events(in: [bytes])
  let single = events(in: bytes.map { [$0] })
  precondition(whole == single, "the cut changes the events")
  return 0
}

private func events(in pieces: [[UInt8]]) -> [ServerSentEvent]? {
  var parser = ServerSentEventParser()
  var events: [ServerSentEvent] = []
  do {
    for piece in pieces { events += try parser.parse(piece) }
  } catch {
    return nil
  }
  return events
}
