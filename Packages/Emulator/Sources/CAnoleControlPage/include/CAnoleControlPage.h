// SPDX-License-Identifier: Apache-2.0
#ifndef ANOLE_CONTROL_PAGE_H
#define ANOLE_CONTROL_PAGE_H

#include <stddef.h>

/// One file of the control page, as it was when this was compiled.
typedef struct {
  const char *name;
  /// The value of `Content-Type`.
  const char *type;
  const unsigned char *bytes;
  size_t count;
} anole_page_file_t;

/// How many files there are.
size_t anole_page_file_count(void);

/// The file at a position below the count.
anole_page_file_t anole_page_file(size_t position);

#endif
