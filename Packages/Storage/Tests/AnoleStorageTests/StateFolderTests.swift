// SPDX-License-Identifier: Apache-2.0

import AnoleStorage
import Testing

@Suite("The user's state folder")
struct StateFolderTests {
  @Test(
    "the XDG folder comes first; paths that are not absolute are ignored",
    arguments: [
      (["XDG_STATE_HOME": "/state", "HOME": "/home/a"], "/state"),
      (["XDG_STATE_HOME": "state", "HOME": "/home/a"], "/home/a/.local/state"),
      (["XDG_STATE_HOME": "", "HOME": "/home/a"], "/home/a/.local/state"),
      (["HOME": "home"], nil), (["HOME": ""], nil), ([:], nil),
    ] as [([String: String], String?)])
  func standard(_ variables: [String: String], _ expected: String?) {
    #expect(StateFolder.standard { variables[$0] } == expected)
  }
}
