// SPDX-License-Identifier: Apache-2.0

extension Arguments {
  /// The action of a command that has several: its first operand, and what stands behind it.
  ///
  /// - Throws: a sentence if there is none, or none of that name.
  func action<Action: CaseIterable & RawRepresentable<String>>(
    of command: any Command.Type
  ) throws(Failure) -> (action: Action, operands: [String]) {
    guard let word = operands.first else {
      throw Failure(
        "\(command.name) wants an action; write demo-cli \(command.name) \(command.synopsis)")
    }
    guard let action = Action(rawValue: word) else {
      let names = Action.allCases.map(\.rawValue)
      let near = Nearest.names(to: word, among: names)
      let hint = Wording.list(near.isEmpty ? names : near, "or")
      throw Failure("\(command.name) has no action \(Printable.quote(word)); write \(hint)")
    }
    return (action, Array(operands.dropFirst()))
  }
}
