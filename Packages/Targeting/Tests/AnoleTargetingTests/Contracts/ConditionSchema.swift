// SPDX-License-Identifier: Apache-2.0

import AnoleModels

/// Whether a condition object has the form that table 4.3 and sections 4.2 to 4.6 ask for.
///
/// Written from the specification as an oracle for mutated conditions.
struct ConditionSchema {
  private let fields: JSONValue

  static func isReadable(_ condition: JSONValue) -> Bool {
    guard condition.objectValue != nil else { return false }
    return ConditionSchema(fields: condition).isReadable
  }

  private var isReadable: Bool {
    guard isAbsent("isInclude") || fields["isInclude"]?.boolValue != nil else { return false }
    guard let type = text("targetingType") else { return false }
    switch type {
    case "CUSTOM_DATUM": return isCustomDatum
    case "DEVICE_TYPE": return one("device", of: Device.allCases.map(\.rawValue))
    case "OPERATING_SYSTEM": return one("os", of: OperatingSystem.allCases.map(\.rawValue))
    case "GEOLOCATION":
      return text("country").map { !$0.isEmpty } == true && optionalText("region")
        && optionalText("city")
    case "APPLICATION_VERSION": return isVersion
    case "SDK_LANGUAGE": return text("sdkLanguage") != nil && isOptionalVersion
    case "BROWSER":
      return one("browser", of: BrowserType.allCases.map(\.rawValue)) && isOptionalVersion
    case "VISITOR_CODE": return isText("visitorCode", "matchType")
    case "PAGE_URL", "PREVIOUS_PAGE": return isText("url", "matchType")
    case "PAGE_TITLE": return isText("title", "matchType")
    case "COOKIE": return isText("name", "nameMatchType") && isText("value", "valueMatchType")
    case "CONVERSIONS": return isAbsent("goalId") || integer("goalId")
    case "TARGET_FEATURE_FLAG":
      // The only flag of the catalogue.
      return fields["featureFlagId"]?.integerValue == 9 && optionalText("variationKey")
        && (isAbsent("ruleId") || integer("ruleId"))
    case "TARGET_EXPERIMENT":
      return integer("experimentId") && one("variationMatchType", of: ["ANY", "EXACT"])
        && (text("variationMatchType") == "ANY" || integer("variationId"))
    case "TARGET_PERSONALIZATION": return integer("personalizationId")
    case "EXCLUSIVE_EXPERIMENT":
      return one("campaignType", of: ["EXPERIMENT", "PERSONALIZATION", "ANY"])
    case "SEGMENT": return [1, 2].contains(fields["segmentId"]?.integerValue)
    case "FIRST_VISIT", "LAST_VISIT": return isNumber("countInMillis")
    case "VISITS", "SAME_DAY_VISITS": return isNumber("visitCount")
    case "PAGE_VIEWS": return isNumber("pageCount")
    case "NEW_VISITORS": return one("visitorType", of: ["NEW", "RETURNING"])
    case "HEAT_SLICE":
      return integer("keyMomentId") && integer("goalId")
        && fields["lowerBound"]?.doubleValue != nil && fields["upperBound"]?.doubleValue != nil
    default: return false
    }
  }

  private var isCustomDatum: Bool {
    // A text that is no index is readable: it never finds data.
    let index = fields["customDataIndex"]?.integerValue.map { $0 >= 0 }
    guard text("customDataIndex") != nil || index == true else { return false }
    switch text("valueMatchType") {
    case "TRUE", "FALSE", "UNDEFINED": return true
    case "EXACT", "CONTAINS", "REGULAR_EXPRESSION": return isText("value", "valueMatchType")
    case "EQUAL", "GREATER", "LOWER":
      return fields["value"]?.doubleValue != nil
        || text("value").flatMap(LenientNumber.parse) != nil
    case "AMONG_VALUES":
      guard let text = text("value") else { return false }
      return (try? JSONValue(parsing: text))?.arrayValue != nil
    default: return false
    }
  }

  private var isVersion: Bool {
    text("version").flatMap(AppVersion.init) != nil
      && one("versionMatchType", of: ["EQUAL", "GREATER", "LOWER"])
  }

  private var isOptionalVersion: Bool {
    isAbsent("version") || text("version") == "" || isVersion
  }

  private func isText(_ value: String, _ match: String) -> Bool {
    guard let value = text(value) else { return false }
    // The patterns among the mutations that do not compile.
    return one(match, of: ["EXACT", "CONTAINS", "REGULAR_EXPRESSION"])
      && !(text(match) == "REGULAR_EXPRESSION" && ["(", "[]", "?"].contains(value))
  }

  private func isNumber(_ name: String) -> Bool {
    fields[name]?.doubleValue != nil && one("matchType", of: ["EQUAL", "GREATER", "LOWER"])
  }

  private func isAbsent(_ name: String) -> Bool { fields[name]?.isNull ?? true }
  private func text(_ name: String) -> String? { fields[name]?.stringValue }
  private func integer(_ name: String) -> Bool { fields[name]?.integerValue != nil }
  private func optionalText(_ name: String) -> Bool { isAbsent(name) || text(name) != nil }
  private func one(_ name: String, of literals: [String]) -> Bool {
    text(name).map(literals.contains) == true
  }
}
