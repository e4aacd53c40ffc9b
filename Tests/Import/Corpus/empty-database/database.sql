-- No tables at all.
PRAGMA user_version = 5;
