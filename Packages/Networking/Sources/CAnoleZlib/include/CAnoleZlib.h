// SPDX-License-Identifier: Apache-2.0
// zlib's streams behind a few functions: its own initialisers are macros, which Swift does not import,
// and its lengths have 32 bits.
#ifndef ANOLE_ZLIB_H
#define ANOLE_ZLIB_H

#include <stddef.h>
#include <stdint.h>

/// A stream that compresses or decompresses. One thread at a time.
typedef struct anole_zlib_stream anole_zlib_stream;

/// How a step ended.
typedef enum {
  /// Go on: all input is consumed, or the output is full.
  ANOLE_ZLIB_CONTINUE = 0,
  /// The end of the stream, or of one member of a gzip file.
  ANOLE_ZLIB_END = 1,
  /// The input is not of the format.
  ANOLE_ZLIB_CORRUPT = 2,
  /// Memory has run out.
  ANOLE_ZLIB_MEMORY = 3,
} anole_zlib_result;

/// Makes a stream that compresses; NULL without memory.
/// Window bits: 31 for gzip, 15 for zlib, -15 for raw deflate. Equal input gives equal output.
anole_zlib_stream *anole_zlib_make_deflate(int level, int window_bits);

/// Makes a stream that decompresses; NULL without memory. Window bits as above.
anole_zlib_stream *anole_zlib_make_inflate(int window_bits);

/// Ends a stream and releases its memory.
void anole_zlib_free(anole_zlib_stream *stream);

/// Starts the next member of a gzip file.
void anole_zlib_reset_inflate(anole_zlib_stream *stream);

/// Compresses input into output. The counts say what was consumed and produced.
anole_zlib_result anole_zlib_deflate(
    anole_zlib_stream *stream, const uint8_t *input, size_t input_size, size_t *consumed,
    uint8_t *output, size_t output_size, size_t *produced, int is_last);

/// Decompresses input into output. The counts say what was consumed and produced.
anole_zlib_result anole_zlib_inflate(
    anole_zlib_stream *stream, const uint8_t *input, size_t input_size, size_t *consumed,
    uint8_t *output, size_t output_size, size_t *produced);

// The version of the loaded library.
const char *anole_zlib_version(void);

#endif
