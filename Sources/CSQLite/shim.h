#ifndef FINDMYBIKE_CSQLITE_SHIM_H
#define FINDMYBIKE_CSQLITE_SHIM_H

#include <sqlite3.h>

// sqlite3_config() is variadic, which Swift cannot call.

/// Keeps SQLite from counting the memory that it takes, each time under a lock for all connections. Only before its
/// first use; SQLITE_MISUSE after.
static inline int findmybike_sqlite_without_memory_statistics(void) {
    return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

#endif
