-- CHECK constraints that rules can say, and others.
CREATE TABLE checks (
  id INTEGER PRIMARY KEY,
  age INTEGER CHECK (age >= 0 AND age < 150),
  rating INTEGER CHECK (rating BETWEEN 1 AND 5),
  price REAL CHECK (price > 0),
  weight REAL NOT NULL CHECK (weight >= 0.5 AND weight <= 2.5),
  name TEXT CHECK (length(name) > 0 AND length(name) <= 20),
  code TEXT NOT NULL CONSTRAINT code_length CHECK (LENGTH("code") = 4),
  status TEXT NOT NULL CHECK (status IN ('open', 'closed', 'on hold')),
  flag BOOLEAN CHECK (flag IN (0, 1)),
  kind INTEGER CHECK (kind IN (1, 2)),
  note TEXT CHECK (note IS NULL OR length(note) < 100),
  low INTEGER, high INTEGER,
  CONSTRAINT ordered CHECK (low <= high),
  CHECK (5 > low), CHECK (age >= 10),
  CHECK (name NOT LIKE '%--%' /* a comment */ OR note = '),')
);
INSERT INTO checks VALUES (1, 12, 5, 1, 1, 'a', 'abcd', 'open', 1, 1, NULL, 1, 2);
