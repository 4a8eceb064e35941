// SPDX-License-Identifier: Apache-2.0

// The clocks and the executor that tests drive by hand.
@_exported public import AnoleConcurrencyTesting
