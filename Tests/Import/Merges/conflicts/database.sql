-- What a person has written otherwise.
CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT NOT NULL, nick TEXT, born INTEGER, size INTEGER NOT NULL CHECK (size >= 0), joined TEXT, weight REAL, state TEXT NOT NULL DEFAULT 'new', tags TEXT, home TEXT, boss INTEGER REFERENCES people ON DELETE SET NULL, flag INTEGER, mate INTEGER REFERENCES people, level INTEGER DEFAULT 3);
INSERT INTO people VALUES (1, 'a', NULL, 1900, 70000, '2021-03-04 10:00:00', 1.5, 'new', '[]', 'https://a.example', NULL, 1, NULL, 3);
