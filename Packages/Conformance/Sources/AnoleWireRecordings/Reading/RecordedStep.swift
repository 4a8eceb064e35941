// SPDX-License-Identifier: Apache-2.0

package import AnoleModels

/// One call, or one doing of the server, in a recorded scenario.
package struct RecordedStep: Sendable, Hashable {
  /// What is done.
  package enum Operation: String, Sendable, Hashable, CaseIterable {
    case waitReady, isReady, addData, flush, trackConversion
    case getVariation, getVariations, isFeatureActive
    case setForcedVariation, evaluateAudiences, setLegalConsent
    case getRemoteData, getRemoteVisitorData, getVisitorWarehouseAudience
    case visitorState, featureList, updateHandlerCalls
    case awaitRequests, sleep, pushSse, closeSse
  }

  /// The number of the step, from 1.
  package let number: Int
  /// What is done.
  package let operation: Operation
  /// The step as written, with its arguments.
  package private(set) var fields: JSONValue
  /// What the call returned; nil for nothing.
  package var result: JSONValue?

  package init(_ json: JSONValue, number: Int) throws(WireFormatError) {
    guard let name = json["op"]?.stringValue, let operation = Operation(rawValue: name) else {
      throw WireFormatError("step \(number): unknown operation \(json["op"] ?? .null)")
    }
    self.number = number
    self.operation = operation
    fields = json
    let result = json["result"]
    self.result = result?.isNull == true ? nil : result
  }

  /// The visitor whom the call is about; nil where it is about none.
  package var visitorCode: String? { fields["visitorCode"]?.stringValue }

  /// A text argument.
  package func text(_ key: String) throws(WireFormatError) -> String {
    guard let text = fields[key]?.stringValue else {
      throw WireFormatError("step \(number) (\(operation)): \"\(key)\" is no text")
    }
    return text
  }

  /// An integer argument.
  package func integer(_ key: String) throws(WireFormatError) -> Int {
    guard let value = fields[key]?.integerValue else {
      throw WireFormatError("step \(number) (\(operation)): \"\(key)\" is no integer")
    }
    return Int(value)
  }

  /// Gives an argument another value.
  mutating func replace(_ key: String, by value: JSONValue) {
    let others = (fields.objectValue ?? []).filter { $0.key != key }
    fields = .object(others + [JSONValue.Member(key: key, value: value)])
  }
}
