// SPDX-License-Identifier: Apache-2.0

import AnoleModels

/// The control endpoint: the emulator's functions as JSON over HTTP, below `/_control`.
///
/// Its requests are neither recorded nor touched by faults.
enum ControlEndpoint {
  static let prefix = "/_control"

  private typealias Action =
    @Sendable (ControlArguments, inout Platform) throws(ControlError) -> JSONValue

  /// Answers a control request.
  static func answer(to request: Request, on platform: inout Platform) -> Answer {
    do throws(ControlError) {
      try checkOrigin(request.head)
      let action = try action(for: request)
      let arguments = try ControlArguments(request)
      return .json(Array((try action(arguments, &platform).text() + "\n").utf8))
    } catch {
      return .json(Array((error.json.text() + "\n").utf8), status: error.status)
    }
  }

  /// Refuses what a page of a foreign site sends through the user's browser.
  private static func checkOrigin(_ head: RequestHead) throws(ControlError) {
    if let origin = head.fields.value(named: "Origin"), !isLoopback(origin.drop { $0 != "/" }) {
      throw ControlError(403, "Pages of other sites may not control the emulator.")
    }
    if let host = head.fields.value(named: "Host"), !isLoopback(Substring(host)) {
      throw ControlError(403, "The emulator is controlled through a loopback address only.")
    }
  }

  private static func isLoopback(_ text: Substring) -> Bool {
    let host = text.drop { $0 == "/" }
    return ["127.0.0.1", "localhost", "[::1]"].contains {
      host == $0
        || (host.hasPrefix($0 + ":") && host.dropFirst($0.count + 1).allSatisfy(\.isNumber))
    }
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
    "state": ["GET": { (_, platform) throws(ControlError) in platform.summary }],
    "reset": [
      "POST": { (_, platform) throws(ControlError) in
        platform.reset()
        return platform.summary
      }
    ],
    "data-file": ["POST": setDataFile, "DELETE": removeDataFile],
    "stream": ["POST": pushToStreams, "DELETE": closeStreams],
    "remote-data": ["POST": setRemoteData],
    "warehouse": ["POST": setWarehouse],
    "visitor-data": ["POST": setVisitorData],
    "tokens": ["POST": setTokens],
    "remote-flags": ["POST": setRemoteFlags, "DELETE": removeRemoteFlags],
    "faults": ["POST": addFault, "DELETE": clearFaults],
    "connections": ["POST": refuseConnections],
    "journal": ["GET": readJournal, "DELETE": clearJournal],
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
