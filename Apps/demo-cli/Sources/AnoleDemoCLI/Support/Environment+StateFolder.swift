// SPDX-License-Identifier: Apache-2.0

import AnoleStorage

extension Environment {
  /// The folder that was asked for, or one of the program's own among the user's state.
  ///
  /// - Parameters:
  ///   - given: the folder of an option.
  ///   - name: the folder's path below the program's own.
  /// - Throws: a sentence if no folder is known.
  func stateFolder(_ given: String?, default name: String) throws(Failure) -> String {
    if let given {
      guard !given.isEmpty else { throw Failure("--store wants a folder") }
      return given
    }
    guard let state = StateFolder.standard(variable) else {
      throw Failure("there is no home folder to keep events in; name one with --store FOLDER")
    }
    return "\(state)/anole/\(name)"
  }
}
