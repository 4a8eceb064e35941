// SPDX-License-Identifier: Apache-2.0

import AnoleModels

extension KameleoonData {
  /// The datum as the visitor's record takes it; nil for types of the application.
  ///
  /// A custom datum that is given by name stays so: the record looks the name up when it is added.
  ///
  /// - Parameters:
  ///   - now: When it is added.
  ///   - catalogue: The declared custom data, for the metadata of conversions; those whose name it does
  ///     not have are left out.
  func datum(at now: Timestamp, catalogue: CustomDataCatalogue) -> VisitorDatum? {
    switch self {
    case let data as CustomData: data.datum
    case let conversion as Conversion: .conversion(conversion.model(at: now, catalogue: catalogue))
    case let device as Device: .device(device.model)
    case let place as Geolocation: .geolocation(place.model)
    default: nil
    }
  }
}

extension CustomData {
  /// The values under their index, or under their name, which is looked up when they are added.
  var datum: VisitorDatum {
    guard let name else { return .customData(index: id, values: values, isOverwriting: overwrite) }
    return .namedCustomData(name: name, values: values, isOverwriting: overwrite)
  }

  /// The values as they go with a conversion; nil if the name is not declared.
  func metadata(_ catalogue: CustomDataCatalogue) -> ConversionMetadata? {
    guard let name else { return ConversionMetadata(index: id, values: values) }
    return catalogue.index(named: name).map { ConversionMetadata(index: $0, values: values) }
  }

  init(_ datum: CustomDatum) {
    self.init(index: datum.index, overwrite: datum.isOverwriting, values: datum.values)
  }
}

extension Conversion {
  /// The conversion as the visitor's record keeps it.
  ///
  /// Numbers that are not finite cannot be reported; they count as 0.
  func model(at now: Timestamp, catalogue: CustomDataCatalogue) -> AnoleModels.Conversion {
    AnoleModels.Conversion(
      goalID: Int64(goalId), revenue: revenue.isFinite ? revenue : 0, isNegative: negative,
      time: now, metadata: metadata.compactMap { $0.metadata(catalogue) })
  }

  init(_ model: AnoleModels.Conversion) {
    self.init(
      goalId: Int(model.goalID), revenue: model.revenue, negative: model.isNegative,
      metadata: model.metadata.map { CustomData(index: $0.index, values: $0.values) })
  }
}

extension Device {
  /// The device as the visitor's record keeps it.
  var model: AnoleModels.Device {
    switch self {
    case .phone: .phone
    case .tablet: .tablet
    case .desktop: .desktop
    }
  }

  init(_ model: AnoleModels.Device) {
    switch model {
    case .phone: self = .phone
    case .tablet: self = .tablet
    case .desktop: self = .desktop
    }
  }
}

extension Geolocation {
  /// The place as the visitor's record keeps it.
  var model: AnoleModels.Geolocation {
    AnoleModels.Geolocation(
      country: country, region: region, city: city, postalCode: postalCode, latitude: latitude,
      longitude: longitude)
  }

  init(_ model: AnoleModels.Geolocation) {
    self.init(
      country: model.country, region: model.region, city: model.city,
      postalCode: model.postalCode, latitude: model.latitude, longitude: model.longitude)
  }
}
