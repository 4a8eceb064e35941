// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A failure that ends the benchmark with its sentence and exit status 2.
public struct BenchmarkError: Error, CustomStringConvertible {
  /// One sentence.
  public let description: String

  package init(_ description: String) { self.description = description }
}

/// The little that the benchmark needs of the system, without Foundation, whose start would count
/// in W9.
package enum System {
  /// Seconds of the monotonic clock.
  package static func seconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }

  /// Milliseconds of the wall clock.
  package static func wallMilliseconds() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }

  package static func read(_ path: String) throws(BenchmarkError) -> [UInt8] {
    let descriptor = open(path, O_RDONLY)
    guard descriptor >= 0 else {
      throw BenchmarkError(
        "\(path): cannot be opened; name a folder with the inputs of the benchmark")
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw BenchmarkError("\(path): no size") }
    let size = Int(status.st_size)
    var count = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, filled in
      while count < size {
        let part = systemRead(descriptor, buffer.baseAddress.map { $0 + count }, size - count)
        if part <= 0 { break }
        count += part
      }
      filled = count
    }
    guard count == size else { throw BenchmarkError("\(path): cannot be read") }
    return bytes
  }

  /// Memory of the process that is in RAM now, in bytes.
  package static func residentBytes() throws(BenchmarkError) -> Int {
    let fields = String(decoding: try readStream("/proc/self/statm"), as: UTF8.self)
      .split(separator: " ")
    guard fields.count > 1, let pages = Int(fields[1]) else {
      throw BenchmarkError("/proc/self/statm: has an unknown form")
    }
    return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
  }

  /// The greatest resident memory so far, in KiB.
  package static func peakResidentKiB() -> Int {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    return Int(usage.ru_maxrss)
  }

  private static func readStream(_ path: String) throws(BenchmarkError) -> [UInt8] {
    let descriptor = open(path, O_RDONLY)
    guard descriptor >= 0 else { throw BenchmarkError("\(path): cannot be opened") }
    defer { close(descriptor) }
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = systemRead(descriptor, &buffer, buffer.count)
    return Array(buffer.prefix(max(count, 0)))
  }

  /// `read` of the C library, whose name the function above hides.
  private static func systemRead(
    _ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int
  ) -> Int {
    #if canImport(Glibc)
      Glibc.read(descriptor, buffer, count)
    #elseif canImport(Musl)
      Musl.read(descriptor, buffer, count)
    #else
      Darwin.read(descriptor, buffer, count)
    #endif
  }

  /// Gives freed memory back to the system, so that the next allocations cost what they cost in a new process.
  package static func returnFreeMemory() {
    #if canImport(Glibc)
      // Not among the functions that Swift's module of the C library declares.
      guard let symbol = dlsym(nil, "malloc_trim") else { return }
      _ = unsafeBitCast(symbol, to: (@convention(c) (Int) -> Int32).self)(0)
    #endif
  }

  /// A path under `$BENCH_TMP`, or here, that no other process uses.
  package static func temporaryPath(_ name: String) -> String {
    let parent = getenv("BENCH_TMP").map { String(cString: $0) } ?? "."
    return "\(parent)/anole-bench-\(getpid())-\(name)"
  }

  /// Removes a folder with its files and folders; nothing if it is not there.
  package static func remove(_ folder: String) throws(BenchmarkError) {
    guard let directory = opendir(folder) else { return }
    defer { closedir(directory) }
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name == "." || name == ".." { continue }
      if unlink("\(folder)/\(name)") != 0 { try remove("\(folder)/\(name)") }
    }
    guard rmdir(folder) == 0 else { throw BenchmarkError("\(folder): cannot be removed") }
  }
}
