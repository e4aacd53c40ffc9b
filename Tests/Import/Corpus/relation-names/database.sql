-- Relations whose names meet fields and methods.
CREATE TABLE fetches (id INTEGER PRIMARY KEY, page_id INTEGER REFERENCES pages (id));
CREATE TABLE pages (id INTEGER PRIMARY KEY, fetches INTEGER, book_id INTEGER REFERENCES books (id));
CREATE TABLE books (id INTEGER PRIMARY KEY, pages INTEGER, pagesList TEXT);
CREATE TABLE counts (id INTEGER PRIMARY KEY, book_id INTEGER REFERENCES books (id));
CREATE TABLE sums (id INTEGER PRIMARY KEY, counts_id INTEGER REFERENCES counts (id));
CREATE TABLE stream (id INTEGER PRIMARY KEY, sum_id INTEGER REFERENCES sums (id));
