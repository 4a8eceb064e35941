// SPDX-License-Identifier: Apache-2.0

import AnoleEmulator
import AnoleNetworking

extension Emulator {
  /// A platform inside the program, on a free port of loopback: it serves a data file and the remote
  /// flags of the built-in shop.
  ///
  /// - Throws: a sentence if it cannot start.
  static func inside(
    serving dataFile: [UInt8], in environment: Environment
  ) throws(Failure) -> (emulator: Emulator, address: String, port: Int) {
    let emulator = Emulator()
    emulator.setDataFile(dataFile, lastModified: HTTPDate.text(environment.now()))
    try emulator.takeRemoteFlags(Array(ShopRemoteFlags.text.utf8))
    try emulator.begin()
    guard let address = emulator.baseURL, let port = emulator.port else {
      throw .network("the emulator inside has ended; start again")
    }
    return (emulator, address, Int(port))
  }
}
