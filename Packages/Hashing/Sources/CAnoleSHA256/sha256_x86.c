// SPDX-License-Identifier: Apache-2.0

#include "sha256_internal.h"

#if defined(ANOLE_SHA256_X86)

#include <cpuid.h>
#include <immintrin.h>

#define TARGET __attribute__((target("sse4.1,ssse3,sha")))
#define INLINE static inline __attribute__((always_inline)) TARGET

int anole_sha256_detect(void) {
  unsigned a, b, c, d;
  if (!__get_cpuid(1, &a, &b, &c, &d)) return 0;
  if (!(c & bit_SSSE3) || !(c & bit_SSE4_1)) return 0;
  if (!__get_cpuid_count(7, 0, &a, &b, &c, &d)) return 0;
  return (b >> 29) & 1;  // SHA
}

// MARK: Rounds

// The state in the order of the instructions: f, e, b, a and h, g, d, c from the lowest lane up.
typedef struct lane {
  __m128i feba, hgdc;
} lane;

// The sixteen message words of a block, four a vector.
typedef struct message {
  __m128i w0, w1, w2, w3;
} message;

INLINE lane start_lane(void) {
  lane l = {_mm_set_epi32(0x6a09e667, (int)0xbb67ae85, 0x510e527f, (int)0x9b05688c),
            _mm_set_epi32(0x3c6ef372, (int)0xa54ff53a, 0x1f83d9ab, 0x5be0cd19)};
  return l;
}

INLINE void four_rounds(lane *l, __m128i words, int i) {
  const __m128i *k = (const __m128i *)(const void *)(anole_sha256_constants + i);
  __m128i sum = _mm_add_epi32(words, _mm_load_si128(k));
  l->hgdc = _mm_sha256rnds2_epu32(l->hgdc, l->feba, sum);
  l->feba = _mm_sha256rnds2_epu32(l->feba, l->hgdc, _mm_shuffle_epi32(sum, 0x0e));
}

// The four message words that follow w0 ... w3.
INLINE __m128i next_words(__m128i w0, __m128i w1, __m128i w2, __m128i w3) {
  __m128i sum = _mm_add_epi32(_mm_sha256msg1_epu32(w0, w1), _mm_alignr_epi8(w3, w2, 4));
  return _mm_sha256msg2_epu32(sum, w3);
}

INLINE __m128i big_endian(__m128i v) {
  return _mm_shuffle_epi8(v, _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203));
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
  return (uint64_t)_mm_extract_epi64(_mm_add_epi32(l.feba, start_lane().feba), 1);
}

TARGET void anole_sha256_blocks_fast(uint32_t state[8], const uint8_t *blocks, size_t count) {
  __m128i dcba = _mm_loadu_si128((const __m128i *)(const void *)state);
  __m128i hgfe = _mm_loadu_si128((const __m128i *)(const void *)(state + 4));
  __m128i cdab = _mm_shuffle_epi32(dcba, 0xb1);  // b, a, d, c from the lowest lane up
  __m128i efgh = _mm_shuffle_epi32(hgfe, 0x1b);  // h, g, f, e
  lane l = {_mm_alignr_epi8(cdab, efgh, 8), _mm_blend_epi16(efgh, cdab, 0xf0)};
  for (; count; count--, blocks += 64) {
    const __m128i *p = (const __m128i *)(const void *)blocks;
    lane before = l;
    message m = {big_endian(_mm_loadu_si128(p)), big_endian(_mm_loadu_si128(p + 1)),
                 big_endian(_mm_loadu_si128(p + 2)), big_endian(_mm_loadu_si128(p + 3))};
    compress(&l, m);
    l.feba = _mm_add_epi32(l.feba, before.feba);
    l.hgdc = _mm_add_epi32(l.hgdc, before.hgdc);
  }
  __m128i abef = _mm_shuffle_epi32(l.feba, 0x1b);  // a, b, e, f
  __m128i ghcd = _mm_shuffle_epi32(l.hgdc, 0xb1);  // g, h, c, d
  _mm_storeu_si128((__m128i *)(void *)state, _mm_blend_epi16(abef, ghcd, 0xf0));
  _mm_storeu_si128((__m128i *)(void *)(state + 4), _mm_alignr_epi8(ghcd, abef, 8));
}

// MARK: One block in registers

// A block written byte by byte to memory and read back as vectors stalls the processor for about
// as long as half a hash. So the block is put together in registers: the key's whole vectors, its
// tail, and the suffix with its end marker, moved up behind the tail.

// Shuffle masks: 16 zeroing bytes, the identity, 16 zeroing bytes.
static const uint8_t shifts[48] = {
    0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80,
    0,    1,    2,    3,    4,    5,    6,    7,    8,    9,    10,   11,   12,   13,   14,   15,
    0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80,
};

INLINE __m128i load(const uint8_t *p) {
  return _mm_loadu_si128((const __m128i *)(const void *)p);
}

// Moves the bytes of a vector to higher places, by 0 ... 16; zeros come in.
INLINE __m128i move_up(__m128i v, size_t n) {
  return _mm_shuffle_epi8(v, load(shifts + 16 - n));
}

// Moves the bytes of a vector to lower places, by 0 ... 16; zeros come in.
INLINE __m128i move_down(__m128i v, size_t n) {
  return _mm_shuffle_epi8(v, load(shifts + 16 + n));
}

INLINE uint64_t read_32(const uint8_t *p) {
  uint32_t x;
  memcpy(&x, p, 4);
  return x;
}

INLINE uint64_t read_64(const uint8_t *p) {
  uint64_t x;
  memcpy(&x, p, 8);
  return x;
}

// 0 ... 15 bytes and zeros behind them, without a look past their end.
INLINE __m128i load_short(const uint8_t *p, size_t n) {
  if (n > 8) {
    return _mm_set_epi64x((int64_t)(read_64(p + n - 8) >> (8 * (16 - n))), (int64_t)read_64(p));
  }
  uint64_t low = 0;
  if (n == 8) {
    low = read_64(p);
  } else if (n >= 4) {
    low = read_32(p) | read_32(p + n - 4) << (8 * (n - 4));
  } else if (n) {
    size_t middle = n / 2, last = n - 1;
    low = (uint64_t)p[0] | (uint64_t)p[middle] << (8 * middle) | (uint64_t)p[last] << (8 * last);
  }
  return _mm_set_epi64x(0, (int64_t)low);
}

// A key of at most 55 bytes: its whole vectors, then the bytes left over.
typedef struct key_vectors {
  __m128i v0, v1, v2, tail;
  size_t length;
} key_vectors;

INLINE key_vectors load_key(const uint8_t *key, size_t length) {
  __m128i zero = _mm_setzero_si128();
  key_vectors k = {zero, zero, zero, zero, length};
  if (length < 16) {
    k.tail = load_short(key, length);
    return k;
  }
  k.v0 = load(key);
  if (length >= 32) k.v1 = load(key + 16);
  if (length >= 48) k.v2 = load(key + 32);
  k.tail = move_down(load(key + length - 16), 16 - length % 16);
  return k;
}

INLINE message one_block(const key_vectors *k, const uint8_t *key, const uint8_t *suffix,
                         size_t length) {
  __m128i marker = _mm_cvtsi32_si128(0x80), zero = _mm_setzero_si128();
  size_t used = k->length % 16;
  __m128i a, b, c = zero;
  message m;
  if (length < 16) {
    __m128i low = _mm_or_si128(load_short(suffix, length), move_up(marker, length));
    a = move_up(low, used);
    b = move_down(low, 16 - used);
  } else if (length < 32) {
    __m128i low = load(suffix);
    __m128i high = _mm_or_si128(move_down(load(suffix + length - 16), 32 - length),
                                move_up(marker, length - 16));
    a = move_up(low, used);
    b = _mm_or_si128(move_down(low, 16 - used), move_up(high, used));
    c = move_down(high, 16 - used);
  } else {
    uint8_t block[64];
    anole_fill_block(block, key, k->length, suffix, length);
    m.w0 = big_endian(load(block));
    m.w1 = big_endian(load(block + 16));
    m.w2 = big_endian(load(block + 32));
    m.w3 = big_endian(load(block + 48));
    return m;
  }
  a = _mm_or_si128(a, k->tail);
  switch (k->length / 16) {
    case 0:
      m = (message){a, b, c, zero};
      break;
    case 1:
      m = (message){k->v0, a, b, c};
      break;
    case 2:
      m = (message){k->v0, k->v1, a, b};
      break;
    default:
      m = (message){k->v0, k->v1, k->v2, a};
      break;
  }
  m.w0 = big_endian(m.w0);
  m.w1 = big_endian(m.w1);
  m.w2 = big_endian(m.w2);
  m.w3 = _mm_insert_epi32(big_endian(m.w3), (int)((k->length + length) * 8), 3);
  return m;
}

TARGET uint64_t anole_bits_fast(const uint8_t *key, size_t key_length, const uint8_t *suffix,
                                size_t suffix_length) {
  key_vectors k = load_key(key, key_length);
  lane l = start_lane();
  compress(&l, one_block(&k, key, suffix, suffix_length));
  return first_words(l);
}

TARGET void anole_bits_pair_fast(const uint8_t *key, size_t key_length, const uint8_t *suffix_a,
                                 size_t length_a, const uint8_t *suffix_b, size_t length_b,
                                 uint64_t out[2]) {
  key_vectors k = load_key(key, key_length);
  message m = one_block(&k, key, suffix_a, length_a);
  message n = one_block(&k, key, suffix_b, length_b);
  lane l = start_lane(), r = l;
  compress_pair(&l, &r, m, n);
  out[0] = first_words(l);
  out[1] = first_words(r);
}

#else

// ISO C wants a declaration in every translation unit.
typedef int anole_sha256_x86_is_empty;

#endif
