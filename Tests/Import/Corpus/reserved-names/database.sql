-- Names that the stores use themselves, and indexes whose names meet.
CREATE TABLE repository_schema (id INTEGER PRIMARY KEY);
CREATE TABLE repository_ids (name TEXT PRIMARY KEY NOT NULL, next INTEGER NOT NULL);
CREATE TABLE books (id INTEGER PRIMARY KEY, title TEXT, ctid TEXT);
CREATE TABLE books_title (id INTEGER PRIMARY KEY);
CREATE INDEX any_name ON books (title);
