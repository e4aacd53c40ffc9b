-- Line breaks, indentation and ends of files as a person may write them.
CREATE TABLE carriages (id INTEGER PRIMARY KEY, a TEXT, b TEXT);
CREATE TABLE endlesses (id INTEGER PRIMARY KEY, a TEXT, b TEXT);
CREATE TABLE wides (id INTEGER PRIMARY KEY, a TEXT, b TEXT UNIQUE);
CREATE TABLE blocks (id INTEGER PRIMARY KEY, a TEXT, b TEXT);
CREATE TABLE marks (id INTEGER PRIMARY KEY, a TEXT, b TEXT);
CREATE TABLE lists (id INTEGER PRIMARY KEY, a TEXT, b TEXT, c TEXT);
CREATE INDEX lists_bc ON lists (b, c);
CREATE INDEX carriages_b ON carriages (a, b);
CREATE TABLE crs (id INTEGER PRIMARY KEY, a TEXT, b TEXT);
