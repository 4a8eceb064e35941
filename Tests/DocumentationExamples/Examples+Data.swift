// SPDX-License-Identifier: Apache-2.0

import kameleoonClient

extension Examples {
  /// A conversion with revenue, and one with metadata.
  package func k29() {
    kameleoonClient.trackConversion(goalId: 83023, revenue: 10)
    kameleoonClient.trackConversion(
      goalId: 83023, revenue: 10, metadata: CustomData(index: 5, values: "Credit Card", "Amex"))
  }

  /// Metadata of a conversion in place of values that were added before.
  package func k30() {
    kameleoonClient.addData([
      CustomData(index: 5, values: "Credit Card"), CustomData(index: 9, values: "Express Delivery"),
    ])
    kameleoonClient.trackConversion(
      goalId: 83023, metadata: CustomData(id: 5, values: "Amex Credit Card"))
  }

  /// Data one by one, several at once, and data that are not reported.
  package func k33() {
    kameleoonClient.addData(CustomData(index: 1, values: "some custom value"))
    kameleoonClient.addData(
      Device.desktop, Conversion(goalId: 32, revenue: 10.0, negative: false))
    kameleoonClient.addData(track: false, CustomData(index: 3, values: "only here"))
  }

  /// Reporting with the next interval, and at once.
  package func k34() {
    kameleoonClient.addData(CustomData(index: 1, values: "some", "custom", "values"))
    kameleoonClient.addData(Conversion(goalId: 32, revenue: 10.0))
    kameleoonClient.flush()
    kameleoonClient.flush(instant: true)
  }

  /// Conversions.
  package func k42() {
    kameleoonClient.addData(Conversion(goalId: 32, revenue: 10.0, negative: false))
    kameleoonClient.addData(
      Conversion(
        goalId: 33, revenue: 5.0, metadata: CustomData(index: 5, values: "Credit Card", "Amex")))
  }

  /// Custom data by index, with several values, that are added to others, by name.
  package func k43() {
    kameleoonClient.addData(CustomData(index: 1, values: "some custom value"))
    kameleoonClient.addData(CustomData(index: 2, values: "first value", "second value"))
    kameleoonClient.addData(
      CustomData(index: 3, overwrite: false, values: ["first value", "second value"]))
    kameleoonClient.addData(CustomData(name: "plan", values: "pro"))
  }

  /// The device.
  package func k44() {
    kameleoonClient.addData(Device.tablet)
  }

  /// The place.
  package func k45() {
    kameleoonClient.addData(
      Geolocation(country: "France", region: "Île-de-France", city: "Paris"))
  }
}
