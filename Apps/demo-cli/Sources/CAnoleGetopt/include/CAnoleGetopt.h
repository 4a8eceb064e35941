// SPDX-License-Identifier: Apache-2.0
// `getopt_long` of the C library, all steps in one call.
#ifndef ANOLE_GETOPT_H
#define ANOLE_GETOPT_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// An option that is understood.
typedef struct {
  /// The name behind the two dashes.
  const char *name;
  /// The letter behind one dash; 0 for none.
  char letter;
  bool takes_value;
} anole_option;

typedef enum {
  anole_match_option,
  /// No option, or several, begin like this.
  anole_match_unknown,
  anole_match_missing_value,
  anole_match_unexpected_value,
} anole_match_kind;

/// What was found in the arguments.
typedef struct {
  anole_match_kind kind;
  /// The position among the options; negative for an unknown one.
  int option;
  /// The option's value or, for an unknown option, the argument it stands in; may be NULL.
  const char *text;
} anole_match;

/// Reads the arguments until their end or the first mistake, which is then the last match.
///
/// `argv` begins with the program's name and is reordered: operands come last, the first of them at
/// `*first_operand`. Texts point into `argv`. Any number of threads may call it at once.
///
/// Returns the number of matches written, at most `capacity`.
size_t anole_getopt(int argc, char **argv, const anole_option *options, size_t option_count,
                    anole_match *matches, size_t capacity, int *first_operand);

#ifdef __cplusplus
}
#endif

#endif
