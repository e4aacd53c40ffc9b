-- Columns, tables and indexes that are gone.
CREATE TABLE books (id INTEGER PRIMARY KEY, title TEXT NOT NULL, author_id INTEGER, mixed);
INSERT INTO books VALUES (1, 'a', 1, 1), (2, 'b', 1, 'two');
CREATE VIEW readers AS SELECT 1 AS id;
