// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleModels
import AnoleNetworking

extension Platform {
  /// What the platform's clock shows at a time of the emulator's.
  func skewed(_ time: Timestamp) -> Timestamp {
    Timestamp(milliseconds: time.milliseconds &+ clockSkew.wholeMilliseconds)
  }

  /// A text of `Last-Modified` by the platform's clock; as it is where it is no date.
  func skewed(_ text: String) -> String {
    guard clockSkew != .zero, let seconds = HTTPDate.seconds(text) else { return text }
    return HTTPDate.text(seconds: seconds + clockSkew.components.seconds)
  }

  /// Lets an answer tell the platform's time; libmicrohttpd tells the system's.
  func tellTime(_ plan: inout AnswerPlan) {
    guard clockSkew != .zero, case .answer(var answer, let cut, let length) = plan.action else {
      return
    }
    // `now` is the platform's time already.
    answer.set(HeaderField("Date", HTTPDate.text(seconds: now.milliseconds / 1_000)))
    plan.action = .answer(answer, cutAfter: cut, announcedLength: length)
  }
}
