// SPDX-License-Identifier: Apache-2.0
#include "anole_pcre2.h"

#ifdef __linux__

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <stdio.h>
#include <stdlib.h>

// Longer patterns are no patterns that people write; compiling them costs time and memory.
#define MAXIMUM_PATTERN_LENGTH 20000
// Memory of the interpreter, used where the just-in-time compiler is not available.
#define HEAP_LIMIT_KIB 1024

struct anole_pattern {
  pcre2_code *code;
  pcre2_match_context *limits;
};

anole_pattern *anole_pattern_compile(const uint8_t *pattern, size_t length, uint32_t match_limit,
                                     char *message, size_t message_size, size_t *fault) {
  static const uint8_t nothing = 0;
  int error = 0;
  PCRE2_SIZE offset = 0;
  anole_pattern *result = calloc(1, sizeof *result);
  pcre2_compile_context *context = pcre2_compile_context_create(NULL);
  if (result && context) {
    result->limits = pcre2_match_context_create(NULL);
  }
  if (!result || !context || !result->limits) {
    snprintf(message, message_size, "out of memory");
    *fault = 0;
    pcre2_compile_context_free(context);
    anole_pattern_free(result);
    return NULL;
  }
  pcre2_set_newline(context, PCRE2_NEWLINE_LF);
  pcre2_set_max_pattern_length(context, MAXIMUM_PATTERN_LENGTH);
  pcre2_set_match_limit(result->limits, match_limit);
  pcre2_set_depth_limit(result->limits, match_limit);
  pcre2_set_heap_limit(result->limits, HEAP_LIMIT_KIB);
  // ALT_BSUX reads \uXXXX; ENDANCHORED makes the engine look for a match of the whole text.
  result->code = pcre2_compile(length ? pattern : &nothing, length,
                               PCRE2_UTF | PCRE2_UCP | PCRE2_ALT_BSUX | PCRE2_ANCHORED |
                                   PCRE2_ENDANCHORED | PCRE2_NEVER_BACKSLASH_C,
                               &error, &offset, context);
  pcre2_compile_context_free(context);
  if (!result->code) {
    if (pcre2_get_error_message(error, (PCRE2_UCHAR *)message, message_size) < 0) {
      snprintf(message, message_size, "error %d", error);
    }
    *fault = offset;
    anole_pattern_free(result);
    return NULL;
  }
  // Without the just-in-time compiler the interpreter serves, under the same limits.
  (void)pcre2_jit_compile(result->code, PCRE2_JIT_COMPLETE);
  return result;
}

void anole_pattern_free(anole_pattern *pattern) {
  if (!pattern) return;
  pcre2_code_free(pattern->code);
  pcre2_match_context_free(pattern->limits);
  free(pattern);
}

int anole_pattern_matches(const anole_pattern *pattern, const uint8_t *text, size_t length) {
  static const uint8_t nothing = 0;
  pcre2_match_data *data = pcre2_match_data_create(1, NULL);
  if (!data) return -1;
  int code = pcre2_match(pattern->code, length ? text : &nothing, length, 0, PCRE2_NO_UTF_CHECK,
                         data, pattern->limits);
  if (code == PCRE2_ERROR_JIT_STACKLIMIT) {
    // A long value, not a bad pattern: the interpreter keeps its state on the heap.
    code = pcre2_match(pattern->code, text, length, 0, PCRE2_NO_UTF_CHECK | PCRE2_NO_JIT, data,
                       pattern->limits);
  }
  pcre2_match_data_free(data);
  if (code >= 0) return 1;
  return code == PCRE2_ERROR_NOMATCH ? 0 : -1;
}

void anole_pattern_library_version(char *version, size_t size) {
  if (size == 0) return;
  version[0] = 0;
  int length = pcre2_config(PCRE2_CONFIG_VERSION, NULL);
  if (length > 0 && (size_t)length <= size) pcre2_config(PCRE2_CONFIG_VERSION, version);
}

#endif
