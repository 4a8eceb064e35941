// SPDX-License-Identifier: Apache-2.0

import AnoleModels

extension ControlEndpoint {
  static func setEvaluation(
    _ arguments: ControlArguments, _ platform: inout Platform
  ) throws(ControlError) -> JSONValue {
    try arguments.allow("token", "requests", "perSeconds")
    let token = try arguments.text("token")
    let requests = try arguments.integer("requests", in: 0...1_000_000)
    let seconds = try arguments.integer("perSeconds", in: 1...86_400) ?? 1
    platform.evaluationDesk.token = token.flatMap { $0.isEmpty ? nil : $0 }
    platform.evaluationDesk.limit = requests.map {
      RateLimit(requests: $0, span: .seconds(seconds))
    }
    return [:]
  }
}
