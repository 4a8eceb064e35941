// SPDX-License-Identifier: Apache-2.0

#include "sha256_internal.h"

_Alignas(16) const uint32_t anole_sha256_constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1,
    0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3,
    0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
    0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147,
    0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
    0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
    0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
    0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208,
    0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

_Alignas(16) const uint32_t anole_sha256_start[8] = {
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
    0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
};

static inline uint32_t rotate(uint32_t x, int n) { return x >> n | x << (32 - n); }

static inline uint32_t read_word(const uint8_t *p) {
  return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

// The next word of the message schedule, in a window of the last sixteen.
static inline uint32_t schedule(uint32_t w[16], int i) {
  uint32_t w1 = w[(i + 1) & 15], w14 = w[(i + 14) & 15];
  uint32_t s0 = rotate(w1, 7) ^ rotate(w1, 18) ^ w1 >> 3;
  uint32_t s1 = rotate(w14, 17) ^ rotate(w14, 19) ^ w14 >> 10;
  return w[i & 15] += s0 + w[(i + 9) & 15] + s1;
}

// One round. The caller renames the eight words instead of moving them.
#define ROUND(a, b, c, d, e, f, g, h, k, word)                           \
  do {                                                                   \
    uint32_t t = (h) + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) +  \
                 ((g) ^ ((e) & ((f) ^ (g)))) + (k) + (word);             \
    (d) += t;                                                            \
    (h) = t + (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) +           \
          (((a) & (b)) | ((c) & ((a) | (b))));                           \
  } while (0)

#define EIGHT_ROUNDS(i, WORD)                            \
  do {                                                   \
    const uint32_t *k = anole_sha256_constants + (i);    \
    ROUND(a, b, c, d, e, f, g, h, k[0], WORD((i)));      \
    ROUND(h, a, b, c, d, e, f, g, k[1], WORD((i) + 1));  \
    ROUND(g, h, a, b, c, d, e, f, k[2], WORD((i) + 2));  \
    ROUND(f, g, h, a, b, c, d, e, k[3], WORD((i) + 3));  \
    ROUND(e, f, g, h, a, b, c, d, k[4], WORD((i) + 4));  \
    ROUND(d, e, f, g, h, a, b, c, k[5], WORD((i) + 5));  \
    ROUND(c, d, e, f, g, h, a, b, k[6], WORD((i) + 6));  \
    ROUND(b, c, d, e, f, g, h, a, k[7], WORD((i) + 7));  \
  } while (0)

#define FIRST(i) (w[i] = read_word(blocks + 4 * (i)))
#define LATER(i) schedule(w, i)

void anole_sha256_blocks_portable(uint32_t state[8], const uint8_t *blocks, size_t count) {
  for (; count; count--, blocks += 64) {
    uint32_t w[16];
    uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
    uint32_t e = state[4], f = state[5], g = state[6], h = state[7];
    EIGHT_ROUNDS(0, FIRST);
    EIGHT_ROUNDS(8, FIRST);
    for (int i = 16; i < 64; i += 16) {
      EIGHT_ROUNDS(i, LATER);
      EIGHT_ROUNDS(i + 8, LATER);
    }
    state[0] += a;
    state[1] += b;
    state[2] += c;
    state[3] += d;
    state[4] += e;
    state[5] += f;
    state[6] += g;
    state[7] += h;
  }
}
