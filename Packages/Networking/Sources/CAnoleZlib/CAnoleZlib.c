// SPDX-License-Identifier: Apache-2.0
#include "CAnoleZlib.h"

#include <limits.h>
#include <stdlib.h>
#include <zlib.h>

struct anole_zlib_stream {
  z_stream z;
  gz_header header;
  int is_deflate;
};

static const int unix_code = 3;
static const int memory_level = 8;

anole_zlib_stream *anole_zlib_make_deflate(int level, int window_bits) {
  anole_zlib_stream *stream = calloc(1, sizeof *stream);
  if (stream == NULL) return NULL;
  stream->is_deflate = 1;
  if (deflateInit2(
          &stream->z, level, Z_DEFLATED, window_bits, memory_level, Z_DEFAULT_STRATEGY)
      != Z_OK) {
    free(stream);
    return NULL;
  }
  // The header names the system; without this it would differ between Linux and Apple systems.
  if (window_bits > 15) {
    stream->header.os = unix_code;
    deflateSetHeader(&stream->z, &stream->header);
  }
  return stream;
}

anole_zlib_stream *anole_zlib_make_inflate(int window_bits) {
  anole_zlib_stream *stream = calloc(1, sizeof *stream);
  if (stream == NULL) return NULL;
  if (inflateInit2(&stream->z, window_bits) != Z_OK) {
    free(stream);
    return NULL;
  }
  return stream;
}

void anole_zlib_free(anole_zlib_stream *stream) {
  if (stream == NULL) return;
  if (stream->is_deflate) {
    deflateEnd(&stream->z);
  } else {
    inflateEnd(&stream->z);
  }
  free(stream);
}

void anole_zlib_reset_inflate(anole_zlib_stream *stream) { inflateReset(&stream->z); }

static uInt clamped(size_t size) { return size > UINT_MAX ? UINT_MAX : (uInt)size; }

static anole_zlib_result result_of(int code) {
  switch (code) {
  case Z_OK:
  case Z_BUF_ERROR:
    return ANOLE_ZLIB_CONTINUE;
  case Z_STREAM_END:
    return ANOLE_ZLIB_END;
  case Z_MEM_ERROR:
    return ANOLE_ZLIB_MEMORY;
  default:
    return ANOLE_ZLIB_CORRUPT;
  }
}

static void set_buffers(
    z_stream *z, const uint8_t *input, size_t input_size, uint8_t *output, size_t output_size) {
  z->next_in = (Bytef *)input;
  z->avail_in = clamped(input_size);
  z->next_out = output;
  z->avail_out = clamped(output_size);
}

anole_zlib_result anole_zlib_deflate(
    anole_zlib_stream *stream, const uint8_t *input, size_t input_size, size_t *consumed,
    uint8_t *output, size_t output_size, size_t *produced, int is_last) {
  z_stream *z = &stream->z;
  set_buffers(z, input, input_size, output, output_size);
  int is_end = is_last && input_size <= UINT_MAX;
  int code = deflate(z, is_end ? Z_FINISH : Z_NO_FLUSH);
  *consumed = clamped(input_size) - z->avail_in;
  *produced = clamped(output_size) - z->avail_out;
  return result_of(code);
}

anole_zlib_result anole_zlib_inflate(
    anole_zlib_stream *stream, const uint8_t *input, size_t input_size, size_t *consumed,
    uint8_t *output, size_t output_size, size_t *produced) {
  z_stream *z = &stream->z;
  set_buffers(z, input, input_size, output, output_size);
  int code = inflate(z, Z_NO_FLUSH);
  *consumed = clamped(input_size) - z->avail_in;
  *produced = clamped(output_size) - z->avail_out;
  return result_of(code);
}

const char *anole_zlib_version(void) { return zlibVersion(); }
