// SPDX-License-Identifier: Apache-2.0
// Whole-value matching over PCRE2 with bounded time and memory.
#ifndef ANOLE_PCRE2_H
#define ANOLE_PCRE2_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A compiled pattern. Immutable, so that any number of threads may match with it at once.
typedef struct anole_pattern anole_pattern;

/// Compiles a UTF-8 pattern. On failure returns NULL and writes a message (terminated) and the
/// offset of the fault.
anole_pattern *anole_pattern_compile(const uint8_t *pattern, size_t length, uint32_t match_limit,
                                     char *message, size_t message_size, size_t *fault);

void anole_pattern_free(anole_pattern *pattern);

/// 1 if the pattern matches the whole of the UTF-8 text, 0 if not, -1 if the limits ended the
/// search (or memory ran out).
int anole_pattern_matches(const anole_pattern *pattern, const uint8_t *text, size_t length);

/// Writes the library's version (terminated), such as "10.42 2022-12-11"; nothing if it does not fit.
void anole_pattern_library_version(char *version, size_t size);

#ifdef __cplusplus
}
#endif

#endif
