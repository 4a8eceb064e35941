// SPDX-License-Identifier: Apache-2.0

/// Reads any bytes as Swift source: it must end, and every place must lie in the file.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzScan(_ data: UnsafePointer<UInt8>, _ size: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: data, count: size))
  for tokens in SwiftLexer.lists(of: bytes) {
    precondition(tokens.allSatisfy { $0.offset < size })
    let references = ReferenceFinder(tokens).references
    precondition(references.allSatisfy { $0.offset < size })
    _ = ConstantFinder(tokens).constants
  }
  return 0
}
