#include <sqlite3.h>

/// Sets whether SQLite reads a name in double quotes that is no column as text, in statements and in definitions: 1, which is
/// the default, or 0. `sqlite3_db_config` takes a variable number of arguments, which Swift cannot pass.
///
/// Returns SQLite's result code, which is not `SQLITE_OK` before SQLite 3.29.
static inline int csqlite_accept_quoted_text(sqlite3 *connection, int accept) {
    int code = sqlite3_db_config(connection, SQLITE_DBCONFIG_DQS_DML, accept, (int *)0);
    if (code != SQLITE_OK) return code;
    return sqlite3_db_config(connection, SQLITE_DBCONFIG_DQS_DDL, accept, (int *)0);
}

/// Closing the connection leaves the write-ahead log as it is.
static inline void csqlite_no_checkpoint_on_close(sqlite3 *connection) {
    sqlite3_db_config(connection, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}
