// SPDX-License-Identifier: Apache-2.0

/// The grouping rule in the words of section 4.1; true = OR, a missing operator is AND.
func grouped(_ operands: ArraySlice<Bool>, _ operators: ArraySlice<Bool>) -> Bool {
  guard let x1 = operands.first else { return true }
  guard operands.count > 1 else { return x1 }
  let o1 = operators.first ?? false
  if o1 { return x1 || grouped(operands.dropFirst(), operators.dropFirst()) }
  let pair = x1 && operands[operands.startIndex + 1]
  guard operands.count > 2 else { return pair }
  let o2 = operators.dropFirst().first ?? false
  let rest = grouped(operands.dropFirst(2), operators.dropFirst(2))
  return o2 ? pair || rest : pair && rest
}
