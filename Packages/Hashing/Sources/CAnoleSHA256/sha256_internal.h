// SPDX-License-Identifier: Apache-2.0

#ifndef CANOLE_SHA256_INTERNAL_H
#define CANOLE_SHA256_INTERNAL_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__x86_64__)
#define ANOLE_SHA256_X86 1
#elif defined(__aarch64__) && defined(__BYTE_ORDER__) && \
    __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ && (defined(__linux__) || defined(__APPLE__))
#define ANOLE_SHA256_ARM 1
#endif

#if defined(ANOLE_SHA256_X86) || defined(ANOLE_SHA256_ARM)
#define ANOLE_SHA256_INSTRUCTIONS 1
#endif

#if defined(_WIN32)
#define ANOLE_HIDDEN
#else
#define ANOLE_HIDDEN __attribute__((visibility("hidden")))
#endif

// The longest message that fits one block together with its end marker and its length.
enum { ANOLE_ONE_BLOCK = 55 };

// The round constants and the initial state of FIPS 180-4, sections 4.2.2 and 5.3.3.
ANOLE_HIDDEN extern const uint32_t anole_sha256_constants[64];
ANOLE_HIDDEN extern const uint32_t anole_sha256_start[8];

ANOLE_HIDDEN void anole_sha256_blocks_portable(uint32_t state[8], const uint8_t *blocks,
                                               size_t count);

// Writes the one padded block of key || suffix. The two lengths add up to at most ANOLE_ONE_BLOCK.
static inline void anole_fill_block(uint8_t block[64], const uint8_t *key, size_t key_length,
                                    const uint8_t *suffix, size_t suffix_length) {
  size_t length = key_length + suffix_length;
  memset(block, 0, 64);
  if (key_length) memcpy(block, key, key_length);
  if (suffix_length) memcpy(block + key_length, suffix, suffix_length);
  block[length] = 0x80;
  block[62] = (uint8_t)(length >> 5);
  block[63] = (uint8_t)(length << 3);
}

#if defined(ANOLE_SHA256_INSTRUCTIONS)
// One implementation per architecture. Call the last three only if the first one says 1; the bits
// functions take messages of at most ANOLE_ONE_BLOCK bytes.
ANOLE_HIDDEN int anole_sha256_detect(void);
ANOLE_HIDDEN void anole_sha256_blocks_fast(uint32_t state[8], const uint8_t *blocks, size_t count);
ANOLE_HIDDEN uint64_t anole_bits_fast(const uint8_t *key, size_t key_length, const uint8_t *suffix,
                                      size_t suffix_length);
ANOLE_HIDDEN void anole_bits_pair_fast(const uint8_t *key, size_t key_length,
                                       const uint8_t *suffix_a, size_t length_a,
                                       const uint8_t *suffix_b, size_t length_b, uint64_t out[2]);
#endif

#endif
