// SPDX-License-Identifier: Apache-2.0

/// Why the disk did not do what it was asked; decides what the store does next.
struct StorageFailure: Error {
  enum Kind {
    /// Another process held the file for longer than the limit.
    case busy
    /// The disk is full, read-only, missing or broken.
    case unavailable
    /// The file is not one of ours or its content makes no sense.
    case damaged
    /// The file's schema is newer than this library.
    case newer
    /// The file is no longer at its path.
    case moved
  }

  let kind: Kind
  let message: String
}
