// SPDX-License-Identifier: Apache-2.0

#ifndef CANOLE_SHA256_H
#define CANOLE_SHA256_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Every function here is free of allocation, locks and shared mutable state, so any thread may call
// any of them at any time. A pointer may be null when the length beside it is zero.

/// The first eight bytes of SHA-256(key || suffix), read as a big-endian number.
uint64_t anole_bucket_bits(const uint8_t *key, size_t key_length, const uint8_t *suffix,
                           size_t suffix_length);

/// Two hashes of one key: `out[0]` with suffix a, `out[1]` with suffix b. Where the processor has
/// SHA instructions this costs clearly less than two calls of `anole_bucket_bits`.
void anole_bucket_bits_pair(const uint8_t *key, size_t key_length, const uint8_t *suffix_a,
                            size_t length_a, const uint8_t *suffix_b, size_t length_b,
                            uint64_t out[2]);

/// The same hash, always by the portable implementation. For tests and comparisons.
uint64_t anole_bucket_bits_portable(const uint8_t *key, size_t key_length, const uint8_t *suffix,
                                    size_t suffix_length);

/// The running state of one incremental SHA-256. The fields are private to the implementation.
typedef struct anole_sha256 {
  uint32_t state[8];
  uint64_t length;
  uint8_t pending[64];
  int portable;
} anole_sha256;

/// Starts a digest.
void anole_sha256_init(anole_sha256 *context);

/// Starts a digest that uses the portable implementation only. For tests and comparisons.
void anole_sha256_init_portable(anole_sha256 *context);

/// Appends bytes to the message.
void anole_sha256_update(anole_sha256 *context, const uint8_t *bytes, size_t count);

/// Writes the 32 digest bytes. The context has to be started again before another use.
void anole_sha256_final(anole_sha256 *context, uint8_t digest[32]);

/// 1 if the processor's SHA instructions are in use, 0 if the portable implementation is.
int anole_sha256_uses_instructions(void);

#ifdef __cplusplus
}
#endif

#endif
