-- Circles of references of which one is optional, and a tree.
CREATE TABLE authors (id INTEGER PRIMARY KEY, favourite_id INTEGER REFERENCES books (id));
CREATE TABLE books (id INTEGER PRIMARY KEY, author_id INTEGER NOT NULL REFERENCES authors (id));
CREATE TABLE folders (id INTEGER PRIMARY KEY, parent_id INTEGER REFERENCES folders (id) ON DELETE CASCADE);
CREATE INDEX folders_parent ON folders (parent_id);
CREATE TABLE loops (id INTEGER PRIMARY KEY REFERENCES loops (id));
