// SPDX-License-Identifier: Apache-2.0
// How a split moves. Pure functions.

// Finer than any share that people set, coarser than what sums of decimal fractions miss.
const digits = 1e9;

export function rounded(share) {
  return Math.round(share * digits) / digits;
}

/**
 * The shares after one of them was set.
 *
 * The border to the next variation moves, so that as few visitors as possible change theirs: what one gains
 * the following one loses, then those after it, then those before it, nearest first; what is not assigned to
 * any comes last.
 */
export function move(shares, index, wanted) {
  const result = [...shares];
  const rest = Math.max(0, rounded(1 - shares.reduce((sum, share) => sum + share, 0)));
  const others = [];
  for (let next = index + 1; next < shares.length; next += 1) others.push(next);
  for (let next = index - 1; next >= 0; next -= 1) others.push(next);
  const target = Math.min(Math.max(wanted, 0), 1);
  if (target <= shares[index]) {
    result[index] = rounded(target);
    if (others.length) result[others[0]] = rounded(result[others[0]] + shares[index] - target);
    return result;
  }
  let missing = target - shares[index];
  for (const other of others) {
    const taken = Math.min(missing, result[other]);
    if (taken <= 0) continue;
    result[other] = rounded(result[other] - taken);
    missing -= taken;
  }
  missing -= Math.min(missing, rest);
  result[index] = rounded(target - missing);
  return result;
}

/** Where the ranges of a split end: running sums, as the hash meets them. */
export function ends(shares) {
  let sum = 0;
  return shares.map((share) => {
    sum += share;
    return Math.min(rounded(sum), 1);
  });
}
