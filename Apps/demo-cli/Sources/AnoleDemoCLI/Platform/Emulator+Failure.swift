// SPDX-License-Identifier: Apache-2.0

import AnoleEmulator

extension Emulator {
  /// Starts the server on loopback.
  ///
  /// - Parameter port: 0 takes a free one.
  /// - Throws: a sentence if it cannot start.
  func begin(port: UInt16 = 0) throws(Failure) {
    do throws(EmulatorError) {
      try start(port: port)
    } catch {
      throw .network(error.description)
    }
  }

  /// Sets the rules of remote flags.
  ///
  /// - Throws: a sentence that names the place of a mistake.
  func takeRemoteFlags(_ rules: [UInt8]) throws(Failure) {
    do throws(RemoteFlagRulesError) {
      try setRemoteFlags(rules)
    } catch {
      throw .data("\(error); mend it at that place")
    }
  }
}
