// SPDX-License-Identifier: Apache-2.0
#include "CAnoleGetopt.h"

#include <getopt.h>
#include <pthread.h>
#include <stdlib.h>

// Values of long options lie above all letters.
enum { first_long_value = 256 };

// getopt_long keeps its place in variables of the whole program.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void restart(void) {
  opterr = 0;
#ifdef __APPLE__
  optreset = 1;
  optind = 1;
#else
  optind = 0;
#endif
}

static int position_of(int value, const anole_option *options, size_t count) {
  if (value >= first_long_value) return value - first_long_value;
  for (size_t index = 0; index < count; index++) {
    if (options[index].letter != 0 && options[index].letter == value) return (int)index;
  }
  return -1;
}

static anole_match describe(int found, char **argv, const anole_option *options, size_t count) {
  anole_match match = {anole_match_option, -1, NULL};
  if (found == ':') {
    match.kind = anole_match_missing_value;
    match.option = position_of(optopt, options, count);
  } else if (found == '?') {
    // A long option's own value here means that it was given a value it does not take.
    match.option = optopt >= first_long_value ? position_of(optopt, options, count) : -1;
    match.kind = match.option < 0 ? anole_match_unknown : anole_match_unexpected_value;
    // Amid a cluster of letters the index still points at the cluster itself.
    match.text = match.option < 0 && optopt != 0 && argv[optind] != NULL && argv[optind][0] == '-' &&
                         argv[optind][1] != '-' && argv[optind][1] != 0
                     ? argv[optind]
                     : argv[optind - 1];
  } else {
    match.option = position_of(found, options, count);
    match.text = optarg;
  }
  return match;
}

size_t anole_getopt(int argc, char **argv, const anole_option *options, size_t option_count,
                    anole_match *matches, size_t capacity, int *first_operand) {
  struct option *known = calloc(option_count + 1, sizeof *known);
  char *letters = calloc(2 * option_count + 2, 1);
  if (known == NULL || letters == NULL) abort();
  size_t length = 0;
  letters[length++] = ':';
  for (size_t index = 0; index < option_count; index++) {
    known[index].name = options[index].name;
    known[index].has_arg = options[index].takes_value ? required_argument : no_argument;
    known[index].val = first_long_value + (int)index;
    if (options[index].letter == 0) continue;
    letters[length++] = options[index].letter;
    if (options[index].takes_value) letters[length++] = ':';
  }
  size_t count = 0;
  pthread_mutex_lock(&lock);
  restart();
  while (count < capacity) {
    int found = getopt_long(argc, argv, letters, known, NULL);
    if (found == -1) break;
    matches[count] = describe(found, argv, options, option_count);
    if (matches[count++].kind != anole_match_option) break;
  }
  *first_operand = optind;
  pthread_mutex_unlock(&lock);
  free(letters);
  free(known);
  return count;
}
