// SPDX-License-Identifier: Apache-2.0

import kameleoonClient

extension Examples {
  /// Device A tells who the user is (the documentation has this example twice, as K-07 and K-09).
  package func k07() {
    kameleoonClient.addData(CustomData(id: index, values: userId))
    kameleoonClient.flush()
  }

  /// Device A, once more.
  package func k09() {
    client.addData(CustomData(id: index, values: userId))
    client.flush()
  }

  /// Device B fetches what device A told.
  package func k08() {
    kameleoonClient.getRemoteVisitorData { result in
      switch result {
      case .success(let data):
        let variation = try? kameleoonClient.getVariation(featureKey: "discount")
        effects.note("\(data.count) \(variation?.key ?? "none")")
      case .failure(let error):
        effects.note("failed: \(error)")
      }
    }
  }

  /// The same in asynchronous code.
  package func k10() async throws {
    try await client.getRemoteVisitorData()
    let variation = try client.getVariation(featureKey: "discount")
    effects.note(variation.key)
  }

  /// An anonymous visitor becomes a known user, and both get the same variation.
  package func k11(config: KameleoonClientConfig, userConfig: KameleoonClientConfig) throws {
    let anonymousKameleoonClient = try KameleoonClientFactory.create(
      siteCode: siteCode, visitorCode: anonymousVisitorCode, config: config)
    let anonymousVariation = try anonymousKameleoonClient.getVariation(featureKey: "discount")

    // After the user has logged in:
    anonymousKameleoonClient.addData(CustomData(id: index, values: userId))
    let userKameleoonClient = try KameleoonClientFactory.create(
      siteCode: siteCode, visitorCode: userId, config: userConfig)
    let userVariation = try userKameleoonClient.getVariation(featureKey: "discount")
    effects.note(anonymousVariation.key == userVariation.key ? "same" : "different")
  }

  /// The same in asynchronous code.
  package func k12(config: KameleoonClientConfig, userConfig: KameleoonClientConfig) async throws {
    let anonymousKameleoonClient = try KameleoonClientFactory.create(
      siteCode: siteCode, visitorCode: anonymousVisitorCode, config: config)
    try await anonymousKameleoonClient.runWhenReady()
    let anonymousVariation = try anonymousKameleoonClient.getVariation(featureKey: "discount")

    // After the user has logged in:
    anonymousKameleoonClient.addData(CustomData(id: index, values: userId))
    let userKameleoonClient = try KameleoonClientFactory.create(
      siteCode: siteCode, visitorCode: userId, config: userConfig)
    try await userKameleoonClient.runWhenReady()
    let userVariation = try userKameleoonClient.getVariation(featureKey: "discount")
    effects.note(anonymousVariation.key == userVariation.key ? "same" : "different")
  }

  /// Custom data in place of the visitor code for drawing a variation.
  package func k13() {
    kameleoonClient.addData(CustomData(index: index, values: "company-7"))
  }

  /// Consent of the visitor.
  package func k41() {
    kameleoonClient.setLegalConsent(true)
  }
}
