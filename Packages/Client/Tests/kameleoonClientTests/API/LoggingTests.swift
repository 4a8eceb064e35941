// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import Foundation
import Testing

@testable import kameleoonClient

/// A configured level and a message's level.
struct LevelCase: Sendable, CustomTestStringConvertible {
  let configured: LogLevel
  let message: LogLevel
  let isLogged: Bool
  var testDescription: String { "\(message) at \(configured)" }
}

let levelCases: [LevelCase] = {
  let logged: [LogLevel: [LogLevel]] = [
    .none: [], .error: [.error], .warning: [.error, .warning],
    .info: [.error, .warning, .info], .debug: [.error, .warning, .info, .debug],
  ]
  return LogLevel.allCases.flatMap { configured in
    LogLevel.allCases.map { message in
      LevelCase(
        configured: configured, message: message,
        isLogged: logged[configured]?.contains(message) == true)
    }
  }
}()

private final class RecordingLogger: Logging, Sendable {
  private let lines = Lock<[String]>([])

  var all: [String] { lines.withLock { $0 } }

  func log(level: LogLevel, message: String) {
    lines.withLock { $0.append("\(level): \(message)") }
  }
}

@Suite("Logging")
struct LoggingTests {
  @Test("a message is logged at its level and at all more talkative ones", arguments: levelCases)
  func levels(_ row: LevelCase) {
    #expect(row.configured.includes(row.message) == row.isLogged)
  }

  @Test("levels are ordered as documented, from none to debug")
  func order() {
    #expect(LogLevel.allCases == [.none, .error, .warning, .info, .debug])
    #expect(LogLevel.allCases.map(\.rawValue) == [0, 1, 2, 3, 4])
  }

  @Test("a line goes out whole, with its level, and line breaks within do not start another")
  func standardError() throws {
    let pipe = Pipe()
    let logger = StandardErrorLogger(descriptor: pipe.fileHandleForWriting.fileDescriptor)
    logger.log(level: .warning, message: "one\nKameleoon ERROR: two\r\u{0}é")
    logger.log(level: .error, message: "")
    try pipe.fileHandleForWriting.close()
    let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    #expect(text == "Kameleoon WARNING: one Kameleoon ERROR: two  é\nKameleoon ERROR: \n")
  }

  @Test("a descriptor that is closed is survived")
  func closedDescriptor() {
    StandardErrorLogger(descriptor: -1).log(level: .error, message: "nobody hears it")
  }

  /// The only test of this target that changes the statics; other messages may come in between.
  @Test(
    "the logger gets messages with their own level, filtered, and the statics bear many threads")
  func statics() async {
    let (level, sink) = (KameleoonLogger.logLevel, KameleoonLogger.logger)
    defer {
      KameleoonLogger.logger = sink
      KameleoonLogger.logLevel = level
    }
    #expect(level == .warning)
    #expect(sink is StandardErrorLogger)
    let mark = UUID().uuidString
    let logger = RecordingLogger()
    KameleoonLogger.logger = logger
    KameleoonLogger.logLevel = .info
    KameleoonLogger.write(.debug, Self.unwanted("a"))
    KameleoonLogger.write(.none, Self.unwanted("b"))
    KameleoonLogger.write(.info, "\(mark) b")
    KameleoonLogger.write(.error, "\(mark) c")
    #expect(logger.all.filter { $0.contains(mark) } == ["info: \(mark) b", "error: \(mark) c"])
    await withTaskGroup { group in
      for number in 0..<16 {
        group.addTask {
          for round in 0..<200 {
            if number == 0 { KameleoonLogger.logLevel = round.isMultiple(of: 2) ? .info : .debug }
            if number == 1 { KameleoonLogger.logger = logger }
            KameleoonLogger.write(.info, "\(mark) \(number)")
          }
        }
      }
    }
    #expect(logger.all.filter { $0.contains(mark) }.count == 2 + 16 * 200)
  }

  private static func unwanted(_ text: String) -> String {
    Issue.record("a text that is not logged is made")
    return text
  }
}
