-- Tables without a primary key.
CREATE TABLE log (at TEXT, message TEXT);
CREATE TABLE settings (name TEXT NOT NULL UNIQUE, value TEXT);
CREATE TABLE maybe (name TEXT UNIQUE, value TEXT);
CREATE TABLE pairs (a INTEGER NOT NULL, b INTEGER NOT NULL, c TEXT, UNIQUE (a, b));
CREATE TABLE nocase (name TEXT NOT NULL UNIQUE COLLATE NOCASE);
INSERT INTO settings VALUES ('a', 'b');
