-- Keys that are null, of several columns, of real numbers, and compared without case.
CREATE TABLE null_keys (code TEXT PRIMARY KEY, name TEXT);
CREATE TABLE nullable_keys (code TEXT PRIMARY KEY, name TEXT);
CREATE TABLE composite (region TEXT NOT NULL, number INTEGER NOT NULL, name TEXT, PRIMARY KEY (region, number));
CREATE TABLE backwards (a INTEGER NOT NULL, b INTEGER NOT NULL, PRIMARY KEY (b, a));
CREATE TABLE weights (weight REAL PRIMARY KEY, name TEXT);
CREATE TABLE tags (tag TEXT PRIMARY KEY NOT NULL COLLATE NOCASE);
CREATE TABLE descending (id INTEGER PRIMARY KEY DESC, name TEXT);
CREATE TABLE bigints (id BIGINT PRIMARY KEY NOT NULL);
CREATE TABLE described (description TEXT NOT NULL, "rawValue" INTEGER NOT NULL, PRIMARY KEY (description, "rawValue"));
INSERT INTO null_keys VALUES (NULL, 'a'), ('x', 'b');
INSERT INTO nullable_keys VALUES ('x', 'b');
INSERT INTO composite VALUES ('north', 1, 'a');
INSERT INTO weights VALUES (1.5, 'a');
INSERT INTO tags VALUES ('Swift');
INSERT INTO descending VALUES (1, 'a');
INSERT INTO bigints VALUES (9007199254740993);
