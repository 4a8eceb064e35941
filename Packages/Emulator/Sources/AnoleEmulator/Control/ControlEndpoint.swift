// SPDX-License-Identifier: Apache-2.0

import AnoleModels

/// The control endpoint: the emulator's functions as JSON over HTTP, below `/_control`.
///
/// Its requests are neither recorded nor touched by faults.
enum ControlEndpoint {
  static let prefix = "/_control"

  /// How a request is answered.
  enum Reply {
    case answer(Answer)
    /// By work that takes its time, away from the server's thread.
    case work(@Sendable () async -> Answer)
  }

  private enum Action: Sendable {
    /// Quick, on the platform under its lock.
    case change(@Sendable (ControlArguments, inout Platform) throws(ControlError) -> JSONValue)
    /// Whatever reads files, decides or waits: never under the lock, and cancelled if the client goes.
    case work(@Sendable (ControlArguments, Core) async throws(ControlError) -> JSONValue)
  }

  /// Answers a control request, or says how that is done.
  static func reply(to request: Request, _ core: Core) -> Reply {
    do throws(ControlError) {
      guard let access = core.run?.access else { throw ControlError(503, "The emulator stops.") }
      if let answer = try access.answer(to: request.head) { return .answer(answer) }
      if request.head.isPage {
        return .answer(try ControlPage.answer(to: request))
      }
      let action = try action(for: request)
      let arguments = try ControlArguments(request)
      switch action {
      case .change(let change):
        return .answer(
          answer { () throws(ControlError) in
            try core.change { platform in
              Result { () throws(ControlError) in try change(arguments, &platform) }
            }.get()
          })
      case .work(let work):
        return .work {
          do throws(ControlError) {
            return json(try await work(arguments, core))
          } catch {
            return json(error.json, status: error.status)
          }
        }
      }
    } catch {
      return .answer(json(error.json, status: error.status))
    }
  }

  private static func answer(_ body: () throws(ControlError) -> JSONValue) -> Answer {
    do throws(ControlError) {
      return json(try body())
    } catch {
      return json(error.json, status: error.status)
    }
  }

  private static func json(_ value: JSONValue, status: Int = 200) -> Answer {
    var answer = Answer.json(Array((value.text() + "\n").utf8), status: status)
    // Visitors' data may be in it, and it must never be taken for a page.
    answer.fields.append(HeaderField("Cache-Control", "no-store"))
    answer.fields.append(HeaderField("X-Content-Type-Options", "nosniff"))
    return answer
  }

  private static func action(for request: Request) throws(ControlError) -> Action {
    let name = String(request.head.path.dropFirst(prefix.count + 1))
    guard let actions = actions[name] else {
      let names = actions.keys.sorted().joined(separator: ", ")
      throw ControlError(404, "There is no \(prefix)/\(name); there are: \(names).")
    }
    guard let action = actions[request.head.method] else {
      let methods = actions.keys.sorted().joined(separator: " and ")
      throw ControlError(405, "\(prefix)/\(name) takes \(methods), not \(request.head.method).")
    }
    return action
  }

  private static let actions: [String: [String: Action]] = [
    "state": ["GET": .change { (_, platform) throws(ControlError) in platform.summary }],
    "reset": [
      "POST": .change { (_, platform) throws(ControlError) in
        platform.reset()
        return platform.summary
      }
    ],
    "data-file": ["POST": .change(setDataFile), "DELETE": .change(removeDataFile)],
    "stream": ["POST": .change(pushToStreams), "DELETE": .change(closeStreams)],
    "remote-data": ["POST": .change(setRemoteData)],
    "warehouse": ["POST": .change(setWarehouse)],
    "visitor-data": ["POST": .change(setVisitorData)],
    "tokens": ["POST": .change(setTokens)],
    "remote-flags": [
      "GET": .change(readRemoteFlags), "POST": .change(setRemoteFlags),
      "DELETE": .change(removeRemoteFlags),
    ],
    "remote-flag": ["POST": .work(changeRemoteFlag)],
    "faults": ["POST": .change(addFault), "DELETE": .change(clearFaults)],
    "network": ["POST": .change(setNetwork)],
    "connections": ["POST": .change(refuseConnections)],
    "journal": ["GET": .change(readJournal), "DELETE": .change(clearJournal)],
    "flags": ["GET": .work(readFlags)],
    "flag": ["POST": .work(changeFlag)],
    "ofrep": ["POST": .change(setEvaluation)],
    "simulation": ["POST": .work(simulate)],
    "explanation": ["POST": .work(explain)],
    "feed": ["GET": .work(readFeed)],
  ]
}

/// Why a control request cannot be served.
struct ControlError: Error {
  let status: Int
  let sentence: String

  init(_ status: Int, _ sentence: String) {
    self.status = status
    self.sentence = sentence
  }

  var json: JSONValue { ["error": .string(sentence)] }
}
