// SPDX-License-Identifier: Apache-2.0

#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif

#include "CAnoleSQLite.h"

#if defined(__linux__)
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>
#endif

void anole_sqlite_harden(sqlite3 *database) {
#ifdef SQLITE_DBCONFIG_DEFENSIVE
  sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0);
#endif
#ifdef SQLITE_DBCONFIG_TRUSTED_SCHEMA
  sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, (int *)0);
#endif
#ifdef SQLITE_DBCONFIG_ENABLE_TRIGGER
  sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, (int *)0);
#endif
#ifdef SQLITE_DBCONFIG_ENABLE_VIEW
  sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_VIEW, 0, (int *)0);
#endif
}

int anole_sqlite_bind_bytes(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_int64 count) {
  if (bytes == 0 || count == 0) return sqlite3_bind_zeroblob(statement, index, 0);
  return sqlite3_bind_blob64(statement, index, bytes, (sqlite3_uint64)count, SQLITE_TRANSIENT);
}

void anole_sqlite_bind_borrowed(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_int64 count) {
  if (bytes == 0 || count == 0) {
    sqlite3_bind_zeroblob(statement, index, 0);
    return;
  }
  sqlite3_bind_blob64(statement, index, bytes, (sqlite3_uint64)count, SQLITE_STATIC);
}

int anole_sqlite_read_blob(sqlite3_blob *blob, void *bytes, int count) {
#ifdef MADV_POPULATE_WRITE
  // It changes no content, so that pages shared with other data at both ends do not matter. An older
  // system refuses it, and nothing is lost.
  uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  uintptr_t start = (uintptr_t)bytes & ~(page - 1);
  madvise((void *)start, (uintptr_t)bytes + (uintptr_t)count - start, MADV_POPULATE_WRITE);
#endif
  return sqlite3_blob_read(blob, bytes, count, 0);
}
