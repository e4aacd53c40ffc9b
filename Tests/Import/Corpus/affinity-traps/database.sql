-- Declared types that convert what is stored.
CREATE TABLE traps (id INTEGER PRIMARY KEY, name STRING, code STRING, point FLOATING POINT, charint CHARINT, big DECIMAL(20,4), whole NUMERIC(8), price DECIMAL(10,2), exact DECIMAL(10,2), truth BOOLEAN, large REAL, text_number TEXT, blob_text BLOB);
INSERT INTO traps VALUES (1, 'abc', '007', 1.5, '12', 1.2345, 5, 9.99, 0.125, 1, 9007199254740993, 12, 'text');
INSERT INTO traps VALUES (2, 'def', '008', 2, '13', 2, 6, 10, 1.5, 0, 1, 13, 'more');
CREATE TABLE strings (id INTEGER PRIMARY KEY, name STRING NOT NULL);
INSERT INTO strings VALUES (1, 'abc');
CREATE TABLE empty (id INTEGER PRIMARY KEY, a STRING, b DATE, c DATETIME, d BOOLEAN, e DECIMAL(10,2), f, g BLOB, h UUID, i VARCHAR(20), j DOUBLE PRECISION, k JSON);
