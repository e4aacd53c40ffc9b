-- Join tables: plain, with fields of their own, of a table with itself, and of three.
CREATE TABLE books (id INTEGER PRIMARY KEY, title TEXT);
CREATE TABLE authors (id INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE book_authors (book_id INTEGER NOT NULL REFERENCES books, author_id INTEGER NOT NULL REFERENCES authors, PRIMARY KEY (book_id, author_id)) WITHOUT ROWID;
CREATE TABLE loans (book_id INTEGER NOT NULL REFERENCES books ON DELETE CASCADE, author_id INTEGER NOT NULL REFERENCES authors, since TEXT, PRIMARY KEY (author_id, book_id));
CREATE TABLE follows (follower_id INTEGER NOT NULL REFERENCES authors, followed_id INTEGER NOT NULL REFERENCES authors, PRIMARY KEY (follower_id, followed_id));
CREATE TABLE triples (a INTEGER NOT NULL REFERENCES books, b INTEGER NOT NULL REFERENCES authors, c INTEGER NOT NULL REFERENCES books, PRIMARY KEY (a, b, c));
