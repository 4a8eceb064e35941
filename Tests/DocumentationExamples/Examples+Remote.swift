// SPDX-License-Identifier: Apache-2.0

import kameleoonClient

/// A value that an application stores on the platform.
struct RemotePlan: Decodable, Sendable {
  let plan: String
}

extension Examples {
  /// A remote value, decoded and raw.
  package func k35() {
    kameleoonClient.getRemoteData(key: "test") { (result: Result<RemotePlan, Error>) in
      switch result {
      case .success(let value):
        effects.note("plan \(value.plan)")
      case .failure(let error):
        effects.note("failed: \(error)")
      }
    }
    kameleoonClient.getRemoteData(key: "test") { (result: Result<Data, Error>) in
      switch result {
      case .success(let data):
        let json = try? JSONSerialization.jsonObject(with: data) as? [String: Any]
        effects.note("raw \(json?["plan"] as? String ?? "none")")
      case .failure(let error):
        effects.note("failed: \(error)")
      }
    }
  }

  /// The same in asynchronous code.
  package func k36() -> Task<Void, Never> {
    Task {
      do {
        let value: RemotePlan = try await kameleoonClient.getRemoteData(key: "test")
        effects.note("plan \(value.plan)")
        let data = try await kameleoonClient.getRawRemoteData(key: "test")
        let json = try JSONSerialization.jsonObject(with: data) as? [String: Any]
        effects.note("raw \(json?["plan"] as? String ?? "none")")
      } catch {
        effects.note("failed: \(error)")
      }
    }
  }

  /// What the platform knows of the visitor: added, not added, by a filter.
  package func k37() {
    kameleoonClient.getRemoteVisitorData { result in
      switch result {
      case .success(let visitorData):
        effects.note("added \(visitorData.count)")
      case .failure(let error):
        effects.note("failed: \(error)")
      }
    }
    kameleoonClient.getRemoteVisitorData(addData: false) { result in
      switch result {
      case .success(let visitorData):
        effects.note("fetched \(visitorData.count)")
      case .failure(let error):
        effects.note("failed: \(error)")
      }
    }
    let filter = Types.RemoteVisitorDataFilter(
      previousVisitAmount: 25, currentVisit: true, customData: false, conversions: true)
    kameleoonClient.getRemoteVisitorData(filter: filter) { result in
      switch result {
      case .success(let visitorData):
        effects.note("filtered \(visitorData.count)")
      case .failure(let error):
        effects.note("failed: \(error)")
      }
    }
  }

  /// The same in asynchronous code.
  package func k38() -> Task<Void, Never> {
    Task {
      do {
        let visitorData = try await kameleoonClient.getRemoteVisitorData()
        effects.note("added \(visitorData.count)")
        let fetched = try await kameleoonClient.getRemoteVisitorData(addData: false)
        effects.note("fetched \(fetched.count)")
        let filter = Types.RemoteVisitorDataFilter(
          previousVisitAmount: 25, currentVisit: true, customData: false, conversions: true)
        let filtered = try await kameleoonClient.getRemoteVisitorData(
          filter: filter, addData: true)
        effects.note("filtered \(filtered.count)")
      } catch {
        effects.note("failed: \(error)")
      }
    }
  }

  /// Audiences of a warehouse, by the visitor code and by a key.
  package func k39() {
    kameleoonClient.getVisitorWarehouseAudience(customDataIndex: index) { result in
      switch result {
      case .success(let customData):
        effects.note("own \(customData.values)")
      case .failure(let error):
        effects.note("failed: \(error)")
      }
    }
    kameleoonClient.getVisitorWarehouseAudience(
      warehouseKey: "warehouse-key", customDataIndex: index
    ) { result in
      switch result {
      case .success(let customData):
        effects.note("keyed \(customData.values)")
      case .failure(let error):
        effects.note("failed: \(error)")
      }
    }
  }

  /// The same in asynchronous code.
  package func k40() -> Task<Void, Never> {
    Task {
      do {
        let own = try await kameleoonClient.getVisitorWarehouseAudience(customDataIndex: index)
        effects.note("own \(own.values)")
        let keyed = try await kameleoonClient.getVisitorWarehouseAudience(
          warehouseKey: "warehouse-key", customDataIndex: index)
        effects.note("keyed \(keyed.values)")
      } catch {
        effects.note("failed: \(error)")
      }
    }
  }
}
