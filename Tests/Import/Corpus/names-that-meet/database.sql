-- Different names that become one name in Swift.
CREATE TABLE user_log (id INTEGER PRIMARY KEY, createdAt TEXT, created_at TEXT, "created at" TEXT);
CREATE TABLE "UserLogs" (id INTEGER PRIMARY KEY, author TEXT, author_id INTEGER REFERENCES user_log(id), authorID INTEGER);
CREATE TABLE USERLOG (user_log_id INTEGER PRIMARY KEY, id INTEGER);
CREATE TABLE codes (code TEXT PRIMARY KEY NOT NULL, id INTEGER NOT NULL);
