// SPDX-License-Identifier: Apache-2.0

/// Something known about a visitor: ``CustomData``, ``Conversion``, ``Device`` or ``Geolocation``.
///
/// Types of an application may adopt it, but a client has no use for them: it logs an error and ignores
/// them.
public protocol KameleoonData: Sendable {}
