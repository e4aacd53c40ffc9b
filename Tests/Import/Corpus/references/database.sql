-- Foreign keys of every kind.
CREATE TABLE parents (id INTEGER PRIMARY KEY, code TEXT NOT NULL UNIQUE, a INTEGER, b INTEGER, UNIQUE (a, b));
CREATE TABLE pairs (x INTEGER NOT NULL, y INTEGER NOT NULL, PRIMARY KEY (x, y));
CREATE TABLE children (
  id INTEGER PRIMARY KEY,
  parent_id INTEGER NOT NULL REFERENCES parents ON DELETE CASCADE,
  step_id INTEGER REFERENCES parents (id) ON DELETE SET NULL,
  required_id INTEGER NOT NULL REFERENCES parents (id) ON DELETE SET NULL,
  fallback_id INTEGER DEFAULT 1 REFERENCES parents (id) ON DELETE SET DEFAULT,
  code TEXT REFERENCES parents (code),
  text_id TEXT REFERENCES parents (id),
  gone_id INTEGER REFERENCES nowhere (id),
  log_id INTEGER REFERENCES log (id),
  x INTEGER, y INTEGER,
  two_id INTEGER REFERENCES parents (id) REFERENCES children (id),
  FOREIGN KEY (x, y) REFERENCES pairs (x, y)
);
CREATE TABLE log (id INTEGER);
CREATE TABLE nodes (id INTEGER PRIMARY KEY, up INTEGER NOT NULL REFERENCES nodes (id));
CREATE TABLE details (id INTEGER PRIMARY KEY REFERENCES parents (id), text TEXT);
INSERT INTO parents VALUES (1, 'a', 1, 1);
INSERT INTO children VALUES (1, 1, NULL, 1, 1, 'a', 'one', 5, 6, 1, 1, 1);
