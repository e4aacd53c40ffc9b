#include <sqlite3.h>

/// Makes SQLite report a name in double quotes that is no column, in statements and in definitions. By default SQLite
/// reads such a name as text. `sqlite3_db_config` takes a variable number of arguments, which Swift cannot pass.
///
/// Returns SQLite's result code, which is not `SQLITE_OK` before SQLite 3.29.
static inline int csqlite_disable_quoted_text(sqlite3 *connection) {
    int code = sqlite3_db_config(connection, SQLITE_DBCONFIG_DQS_DML, 0, (int *)0);
    if (code != SQLITE_OK) return code;
    return sqlite3_db_config(connection, SQLITE_DBCONFIG_DQS_DDL, 0, (int *)0);
}

/// Closing the connection leaves the write-ahead log as it is.
static inline void csqlite_no_checkpoint_on_close(sqlite3 *connection) {
    sqlite3_db_config(connection, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}
