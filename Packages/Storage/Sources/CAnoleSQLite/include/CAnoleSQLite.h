// SPDX-License-Identifier: Apache-2.0

#ifndef CANOLE_SQLITE_H
#define CANOLE_SQLITE_H

#include <sqlite3.h>

/// Turns on the defences against hostile database files that exist only as variadic calls.
void anole_sqlite_harden(sqlite3 *database);

/// Binds a copy of bytes; no bytes become an empty blob, not NULL.
int anole_sqlite_bind_bytes(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_int64 count);

/// Binds bytes that the caller keeps until the statement has run; no bytes become an empty blob, not NULL.
void anole_sqlite_bind_borrowed(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_int64 count);

/// Reads a whole blob into memory that was just allocated.
///
/// Where the system can, the memory is made present in one step first, not page by page as it is written.
int anole_sqlite_read_blob(sqlite3_blob *blob, void *bytes, int count);

#endif
