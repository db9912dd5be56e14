#ifndef FINDMYBIKE_CSQLITE_SHIM_H
#define FINDMYBIKE_CSQLITE_SHIM_H

#include <sqlite3.h>

// sqlite3_config() is variadic, which Swift cannot call.

/// Stops SQLite from counting its memory, which takes a lock for all connections each time. Call it before SQLite's
/// first use; later it returns SQLITE_MISUSE.
static inline int findmybike_sqlite_without_memory_statistics(void) {
    return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

/// Lets SQLite keep all statement journals in memory, and not in temporary files. Call it before SQLite's first use; later it
/// returns SQLITE_MISUSE.
///
/// A limit would not do: SQLite 3.40 writes at most 128 kB to a file at once, and so fails with SQLITE_FULL for a journal that
/// is already longer when it reaches the limit.
static inline int findmybike_sqlite_statement_journals_in_memory(void) {
    return sqlite3_config(SQLITE_CONFIG_STMTJRNL_SPILL, -1);
}

#endif
