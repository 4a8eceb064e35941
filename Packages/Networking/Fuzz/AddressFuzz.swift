// SPDX-License-Identifier: Apache-2.0

/// Any text is a domain or not, a domain stays itself, and percent-encoding is plain ASCII.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let text = String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  if let domain = NetworkDomain.read(text).domain {
    precondition(NetworkDomain.read(domain.name).domain == domain, "a domain is not itself")
  }
  let encoded = PercentEncoding.encode(text)
  precondition(encoded.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }, "a byte is not encoded")
  return 0
}
