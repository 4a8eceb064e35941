// SPDX-License-Identifier: Apache-2.0

#include "CAnoleSHA256.h"
#include "sha256_internal.h"

// MARK: Choice of the implementation

#if defined(ANOLE_SHA256_INSTRUCTIONS)

// Written once, while the image is loaded and before any thread of ours can read it; constant from
// then on. A caller that runs even earlier reads 0 and gets the portable implementation.
static int uses_instructions;

__attribute__((constructor)) static void choose_implementation(void) {
  uses_instructions = anole_sha256_detect();
}

int anole_sha256_uses_instructions(void) { return uses_instructions; }

#else

int anole_sha256_uses_instructions(void) { return 0; }

#endif

// MARK: Incremental digest

static void blocks(anole_sha256 *context, const uint8_t *bytes, size_t count) {
#if defined(ANOLE_SHA256_INSTRUCTIONS)
  if (uses_instructions && !context->portable) {
    anole_sha256_blocks_fast(context->state, bytes, count);
    return;
  }
#endif
  anole_sha256_blocks_portable(context->state, bytes, count);
}

void anole_sha256_init(anole_sha256 *context) {
  memset(context, 0, sizeof *context);
  memcpy(context->state, anole_sha256_start, sizeof context->state);
}

void anole_sha256_init_portable(anole_sha256 *context) {
  anole_sha256_init(context);
  context->portable = 1;
}

void anole_sha256_update(anole_sha256 *context, const uint8_t *bytes, size_t count) {
  if (!count) return;
  size_t used = context->length % 64;
  context->length += count;
  if (used) {
    size_t room = 64 - used;
    size_t taken = count < room ? count : room;
    memcpy(context->pending + used, bytes, taken);
    if (taken < room) return;
    blocks(context, context->pending, 1);
    bytes += taken;
    count -= taken;
  }
  if (count >= 64) {
    blocks(context, bytes, count / 64);
    bytes += count / 64 * 64;
    count %= 64;
  }
  if (count) memcpy(context->pending, bytes, count);
}

// Ends the message: the marker, zeros, and the length in bits as a big-endian number.
static void pad(anole_sha256 *context) {
  uint64_t bits = context->length * 8;
  size_t used = context->length % 64;
  context->pending[used++] = 0x80;
  if (used > 56) {
    memset(context->pending + used, 0, 64 - used);
    blocks(context, context->pending, 1);
    used = 0;
  }
  memset(context->pending + used, 0, 56 - used);
  for (int i = 0; i < 8; i++) context->pending[56 + i] = (uint8_t)(bits >> (56 - 8 * i));
  blocks(context, context->pending, 1);
}

void anole_sha256_final(anole_sha256 *context, uint8_t digest[32]) {
  pad(context);
  for (int i = 0; i < 32; i++) digest[i] = (uint8_t)(context->state[i / 4] >> (24 - 8 * (i % 4)));
}

// MARK: Buckets

static inline int fits_one_block(size_t key_length, size_t suffix_length) {
  return key_length <= ANOLE_ONE_BLOCK && suffix_length <= ANOLE_ONE_BLOCK - key_length;
}

static uint64_t first_words(const uint32_t state[8]) { return (uint64_t)state[0] << 32 | state[1]; }

// The path for messages of more than one block.
static uint64_t long_bits(const uint8_t *key, size_t key_length, const uint8_t *suffix,
                          size_t suffix_length, int portable) {
  anole_sha256 context;
  anole_sha256_init(&context);
  context.portable = portable;
  anole_sha256_update(&context, key, key_length);
  anole_sha256_update(&context, suffix, suffix_length);
  pad(&context);
  return first_words(context.state);
}

uint64_t anole_bucket_bits_portable(const uint8_t *key, size_t key_length, const uint8_t *suffix,
                                    size_t suffix_length) {
  if (!fits_one_block(key_length, suffix_length)) {
    return long_bits(key, key_length, suffix, suffix_length, 1);
  }
  uint8_t block[64];
  uint32_t state[8];
  anole_fill_block(block, key, key_length, suffix, suffix_length);
  memcpy(state, anole_sha256_start, sizeof state);
  anole_sha256_blocks_portable(state, block, 1);
  return first_words(state);
}

uint64_t anole_bucket_bits(const uint8_t *key, size_t key_length, const uint8_t *suffix,
                           size_t suffix_length) {
#if defined(ANOLE_SHA256_INSTRUCTIONS)
  if (uses_instructions) {
    if (fits_one_block(key_length, suffix_length)) {
      return anole_bits_fast(key, key_length, suffix, suffix_length);
    }
    return long_bits(key, key_length, suffix, suffix_length, 0);
  }
#endif
  return anole_bucket_bits_portable(key, key_length, suffix, suffix_length);
}

void anole_bucket_bits_pair(const uint8_t *key, size_t key_length, const uint8_t *suffix_a,
                            size_t length_a, const uint8_t *suffix_b, size_t length_b,
                            uint64_t out[2]) {
#if defined(ANOLE_SHA256_INSTRUCTIONS)
  if (uses_instructions && fits_one_block(key_length, length_a) &&
      fits_one_block(key_length, length_b)) {
    anole_bits_pair_fast(key, key_length, suffix_a, length_a, suffix_b, length_b, out);
    return;
  }
#endif
  out[0] = anole_bucket_bits(key, key_length, suffix_a, length_a);
  out[1] = anole_bucket_bits(key, key_length, suffix_b, length_b);
}
