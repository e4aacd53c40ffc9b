-- Tables called like types of the schema language, of Swift and of the output.
CREATE TABLE dates (id INTEGER PRIMARY KEY, day TEXT);
CREATE TABLE strings (id INTEGER PRIMARY KEY, date_id INTEGER REFERENCES dates(id));
CREATE TABLE Swift (id INTEGER PRIMARY KEY);
CREATE TABLE Foundation (id INTEGER PRIMARY KEY);
CREATE TABLE "any" (id INTEGER PRIMARY KEY);
CREATE TABLE tasks (id INTEGER PRIMARY KEY);
CREATE TABLE TaskRepository (id INTEGER PRIMARY KEY);
CREATE TABLE queries (id INTEGER PRIMARY KEY, model TEXT);
INSERT INTO dates VALUES (1, 'Monday');
INSERT INTO strings VALUES (1, 1);
