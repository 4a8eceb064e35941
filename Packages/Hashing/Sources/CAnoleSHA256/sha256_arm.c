// SPDX-License-Identifier: Apache-2.0

#include "sha256_internal.h"

#if defined(ANOLE_SHA256_ARM)

#include <arm_neon.h>

#if defined(__linux__)
#include <sys/auxv.h>
#endif

#if defined(__ARM_FEATURE_SHA2) || defined(__ARM_FEATURE_CRYPTO)
#define TARGET
#elif defined(__clang__)
#define TARGET __attribute__((target("sha2")))
#else
#define TARGET __attribute__((target("+crypto")))
#endif
#define INLINE static inline __attribute__((always_inline)) TARGET

int anole_sha256_detect(void) {
#if defined(__APPLE__)
  return 1;  // Every 64-bit Apple processor has the instructions.
#else
  return (getauxval(AT_HWCAP) >> 6) & 1;  // HWCAP_SHA2
#endif
}

typedef struct lane {
  uint32x4_t abcd, efgh;
} lane;

// The sixteen message words of a block, four a vector.
typedef struct message {
  uint32x4_t w0, w1, w2, w3;
} message;

INLINE lane start_lane(void) {
  lane l = {vld1q_u32(anole_sha256_start), vld1q_u32(anole_sha256_start + 4)};
  return l;
}

INLINE uint32x4_t load_words(const uint8_t *p) {
  return vreinterpretq_u32_u8(vrev32q_u8(vld1q_u8(p)));
}

INLINE message load_message(const uint8_t *block) {
  message m = {load_words(block), load_words(block + 16), load_words(block + 32),
               load_words(block + 48)};
  return m;
}

INLINE void four_rounds(lane *l, uint32x4_t words, int i) {
  uint32x4_t sum = vaddq_u32(words, vld1q_u32(anole_sha256_constants + i));
  uint32x4_t abcd = l->abcd;
  l->abcd = vsha256hq_u32(abcd, l->efgh, sum);
  l->efgh = vsha256h2q_u32(l->efgh, abcd, sum);
}

// The four message words that follow w0 ... w3.
INLINE uint32x4_t next_words(uint32x4_t w0, uint32x4_t w1, uint32x4_t w2, uint32x4_t w3) {
  return vsha256su1q_u32(vsha256su0q_u32(w0, w1), w2, w3);
}

INLINE void compress(lane *l, message m) {
  four_rounds(l, m.w0, 0);
  four_rounds(l, m.w1, 4);
  four_rounds(l, m.w2, 8);
  four_rounds(l, m.w3, 12);
  for (int i = 16; i < 64; i += 16) {
    m.w0 = next_words(m.w0, m.w1, m.w2, m.w3);
    four_rounds(l, m.w0, i);
    m.w1 = next_words(m.w1, m.w2, m.w3, m.w0);
    four_rounds(l, m.w1, i + 4);
    m.w2 = next_words(m.w2, m.w3, m.w0, m.w1);
    four_rounds(l, m.w2, i + 8);
    m.w3 = next_words(m.w3, m.w0, m.w1, m.w2);
    four_rounds(l, m.w3, i + 12);
  }
}

// Two independent blocks, step by step beside each other: a round instruction waits for the one
// before it, so the second lane runs in the gaps of the first.
INLINE void compress_pair(lane *l, lane *r, message m, message n) {
  four_rounds(l, m.w0, 0);
  four_rounds(r, n.w0, 0);
  four_rounds(l, m.w1, 4);
  four_rounds(r, n.w1, 4);
  four_rounds(l, m.w2, 8);
  four_rounds(r, n.w2, 8);
  four_rounds(l, m.w3, 12);
  four_rounds(r, n.w3, 12);
  for (int i = 16; i < 64; i += 16) {
    m.w0 = next_words(m.w0, m.w1, m.w2, m.w3);
    four_rounds(l, m.w0, i);
    n.w0 = next_words(n.w0, n.w1, n.w2, n.w3);
    four_rounds(r, n.w0, i);
    m.w1 = next_words(m.w1, m.w2, m.w3, m.w0);
    four_rounds(l, m.w1, i + 4);
    n.w1 = next_words(n.w1, n.w2, n.w3, n.w0);
    four_rounds(r, n.w1, i + 4);
    m.w2 = next_words(m.w2, m.w3, m.w0, m.w1);
    four_rounds(l, m.w2, i + 8);
    n.w2 = next_words(n.w2, n.w3, n.w0, n.w1);
    four_rounds(r, n.w2, i + 8);
    m.w3 = next_words(m.w3, m.w0, m.w1, m.w2);
    four_rounds(l, m.w3, i + 12);
    n.w3 = next_words(n.w3, n.w0, n.w1, n.w2);
    four_rounds(r, n.w3, i + 12);
  }
}

// The first two words of the digest, of a lane that began with start_lane().
INLINE uint64_t first_words(lane l) {
  uint32x4_t sum = vaddq_u32(l.abcd, vld1q_u32(anole_sha256_start));
  return (uint64_t)vgetq_lane_u32(sum, 0) << 32 | vgetq_lane_u32(sum, 1);
}

TARGET void anole_sha256_blocks_fast(uint32_t state[8], const uint8_t *blocks, size_t count) {
  lane l = {vld1q_u32(state), vld1q_u32(state + 4)};
  for (; count; count--, blocks += 64) {
    lane before = l;
    compress(&l, load_message(blocks));
    l.abcd = vaddq_u32(l.abcd, before.abcd);
    l.efgh = vaddq_u32(l.efgh, before.efgh);
  }
  vst1q_u32(state, l.abcd);
  vst1q_u32(state + 4, l.efgh);
}

TARGET uint64_t anole_bits_fast(const uint8_t *key, size_t key_length, const uint8_t *suffix,
                                size_t suffix_length) {
  uint8_t block[64];
  anole_fill_block(block, key, key_length, suffix, suffix_length);
  lane l = start_lane();
  compress(&l, load_message(block));
  return first_words(l);
}

TARGET void anole_bits_pair_fast(const uint8_t *key, size_t key_length, const uint8_t *suffix_a,
                                 size_t length_a, const uint8_t *suffix_b, size_t length_b,
                                 uint64_t out[2]) {
  uint8_t block_a[64], block_b[64];
  anole_fill_block(block_a, key, key_length, suffix_a, length_a);
  anole_fill_block(block_b, key, key_length, suffix_b, length_b);
  lane l = start_lane(), r = l;
  compress_pair(&l, &r, load_message(block_a), load_message(block_b));
  out[0] = first_words(l);
  out[1] = first_words(r);
}

#else

// ISO C wants a declaration in every translation unit.
typedef int anole_sha256_arm_is_empty;

#endif
