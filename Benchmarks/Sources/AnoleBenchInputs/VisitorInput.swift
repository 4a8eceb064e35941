// SPDX-License-Identifier: Apache-2.0

package import AnoleBenchCore
package import AnoleModels

/// The visitor of visitor.json.
package struct VisitorInput {
  package let code: String
  package let data: [VisitorDatum]

  package init(folder: String) throws(BenchmarkError) {
    let value: JSONValue
    let bytes = try System.read("\(folder)/visitor.json")
    do throws(JSONError) {
      value = try JSONValue(parsing: bytes)
    } catch {
      throw BenchmarkError("visitor.json: \(error)")
    }
    let text = { (key: String) in value[key]?.stringValue ?? "" }
    guard let device = Device(rawValue: text("device")),
      let system = OperatingSystem(rawValue: text("os")),
      let browser = BrowserType(rawValue: text("browser"))
    else { throw BenchmarkError("visitor.json: has an unknown device, os or browser") }
    let place = Geolocation(country: text("country"))
    let version = value["browserVersion"]?.doubleValue
    code = text("code")
    data =
      [
        .geolocation(place), .device(device), .operatingSystem(system),
        .browser(Browser(type: browser, version: version)),
        .cookies([Cookie(name: "session", value: text("cookie"))]),
      ] + (1...6).map { .customData(index: $0, values: [text("cd\($0)")]) }
  }
}
