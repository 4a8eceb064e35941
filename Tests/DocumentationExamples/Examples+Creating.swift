// SPDX-License-Identifier: Apache-2.0

import kameleoonClient

extension Examples {
  /// Creating with settings and with the file of settings, and the errors of creating.
  package func k04(dataFile: String) -> [KameleoonClient] {
    var clients: [KameleoonClient] = []
    do {
      let config = KameleoonClientConfig(
        clientId: "<clientId>",
        clientSecret: "<clientSecret>",
        refreshIntervalMinute: 15,
        dataExpirationIntervalMinute: 1440 * 365,
        defaultTimeoutMillisecond: 10_000,
        trackingIntervalMillisecond: 500,
        environment: "staging",
        isUniqueIdentifier: false,
        networkDomain: "example.com",
        defaultDataFile: dataFile,
        activityTrackingIntervalMillisecond: 20_000
      )
      let kameleoonClient = try KameleoonClientFactory.create(
        siteCode: siteCode, visitorCode: userId, config: config)
      clients.append(kameleoonClient)
    } catch KameleoonError.siteCodeIsEmpty {
      effects.note("site code is empty")
    } catch KameleoonError.visitorCodeInvalid {
      effects.note("visitor code is invalid")
    } catch {
      effects.note("unexpected: \(error)")
    }

    do {
      // The settings are those of the file.
      let kameleoonClient = try KameleoonClientFactory.create(siteCode: siteCode)
      clients.append(kameleoonClient)
    } catch {
      effects.note("unexpected: \(error)")
    }
    return clients
  }

  /// Waiting for readiness by a callback, and a variable as a number with fraction.
  package func k05() {
    client.runWhenReady(timeoutMilliseconds: 1000) { ready in
      guard ready else {
        effects.note("not ready")
        return
      }
      if let variation = try? client.getVariation(featureKey: "discount"),
        let value = variation.variables["value"]?.value as? Double
      {
        applyDiscount(value: value)
      }
    }
  }

  /// The same in asynchronous code.
  package func k06() async throws {
    try await client.runWhenReady(timeoutMilliseconds: 1000)
    let variation = try client.getVariation(featureKey: "discount")
    if let value = variation.variables["value"]?.value as? Double {
      applyDiscount(value: value)
    }
  }

  /// Creating with and without settings.
  package func k18(dataFile: String) -> [KameleoonClient] {
    var clients: [KameleoonClient] = []
    do {
      let config = KameleoonClientConfig(
        refreshIntervalMinute: 15, defaultTimeoutMillisecond: 10_000, environment: "staging",
        defaultDataFile: dataFile)
      let kameleoonClient = try KameleoonClientFactory.create(
        siteCode: siteCode, visitorCode: userId, config: config)
      clients.append(kameleoonClient)
      let other = try KameleoonClientFactory.create(siteCode: siteCode)
      clients.append(other)
    } catch KameleoonError.siteCodeIsEmpty {
      effects.note("site code is empty")
    } catch KameleoonError.visitorCodeInvalid {
      effects.note("visitor code is invalid")
    } catch {
      effects.note("unexpected: \(error)")
    }
    return clients
  }

  /// Whether the client is ready.
  package func k19() -> Bool {
    let ready = kameleoonClient.ready
    return ready
  }

  /// Waiting for readiness by a callback, and a variable as a whole number.
  package func k20() {
    kameleoonClient.runWhenReady(timeoutMilliseconds: 1000) { ready in
      if ready {
        let variation = try? kameleoonClient.getVariation(featureKey: "recommendations")
        if let number = variation?.variables["products"]?.value as? Int {
          applyVariation(recommendedProductsNumber: number)
        }
      } else {
        applyVariation(recommendedProductsNumber: 5)
      }
    }
  }

  /// The same in asynchronous code.
  package func k21() async {
    do {
      try await kameleoonClient.runWhenReady(timeoutMilliseconds: 1000)
      let variation = try kameleoonClient.getVariation(featureKey: "recommendations")
      if let number = variation.variables["products"]?.value as? Int {
        applyVariation(recommendedProductsNumber: number)
      }
    } catch KameleoonError.sdkNotReady {
      applyVariation(recommendedProductsNumber: 5)
    } catch {
      effects.note("unexpected: \(error)")
    }
  }

  /// The event stream's updates.
  package func k31() {
    kameleoonClient.updateConfigurationHandler {
      effects.note("updated")
    }
  }

  /// The visitor's code.
  package func k32() -> String {
    let visitorCode = kameleoonClient.visitorCode
    return visitorCode
  }
}
