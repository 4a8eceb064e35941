// SPDX-License-Identifier: Apache-2.0

public import AnoleEvaluation

/// Why an analysis cannot be made.
public enum AnalysisError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The visitors cannot be made as they were described; the sentence says why.
  case invalidPopulation(String)
  /// A distribution of visitor data is not usable; the sentence says why.
  case invalidDistribution(String)
  /// A flag cannot be decided for any visitor.
  case evaluation(EvaluationError)
  /// The task was cancelled before the work was done.
  case cancelled

  /// One sentence with the next step.
  public var description: String {
    switch self {
    case .invalidPopulation(let sentence), .invalidDistribution(let sentence): sentence
    case .evaluation(let error): error.description
    case .cancelled: "the work was cancelled before it was done; start it again"
    }
  }
}
