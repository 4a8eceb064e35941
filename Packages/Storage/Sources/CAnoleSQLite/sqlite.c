// SPDX-License-Identifier: Apache-2.0

#include "CAnoleSQLite.h"

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
