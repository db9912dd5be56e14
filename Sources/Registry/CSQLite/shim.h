#ifndef FINDMYBIKE_CSQLITE_SHIM_H
#define FINDMYBIKE_CSQLITE_SHIM_H

#include <sqlite3.h>

// sqlite3_config() is variadic, which Swift cannot call.

/// Stops SQLite from counting its memory, which takes a lock for all connections each time. Call it before SQLite's
/// first use; later it returns SQLITE_MISUSE.
static inline int findmybike_sqlite_without_memory_statistics(void) {
    return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

#endif
