-- Beside the imported tables, the package has tables of its own.
CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT, at TEXT);
CREATE TABLE drafts (id TEXT PRIMARY KEY NOT NULL, text TEXT);
