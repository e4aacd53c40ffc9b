-- A person has renamed, ordered and documented; the database has grown.
CREATE TABLE authors (id INTEGER PRIMARY KEY, name TEXT NOT NULL, born INTEGER CHECK (born > 1400));
CREATE TABLE books (id INTEGER PRIMARY KEY, title TEXT NOT NULL, author_id INTEGER NOT NULL REFERENCES authors, price REAL CHECK (price > 0), added_at TEXT, pages INTEGER DEFAULT 1);
CREATE TABLE tags (id INTEGER PRIMARY KEY, label TEXT NOT NULL UNIQUE);
CREATE TABLE book_tags (book_id INTEGER NOT NULL REFERENCES books, tag_id INTEGER NOT NULL REFERENCES tags, PRIMARY KEY (book_id, tag_id));
CREATE INDEX books_title ON books (title);
CREATE INDEX books_author ON books (author_id, added_at);
CREATE TRIGGER touched AFTER UPDATE ON books BEGIN SELECT 1; END;
INSERT INTO authors VALUES (1, 'Le Guin', 1929);
INSERT INTO books VALUES (1, 'The Dispossessed', 1, 8.5, '2021-03-04T10:00:00Z', 387);
