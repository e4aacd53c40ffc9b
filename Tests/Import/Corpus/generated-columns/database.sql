-- Columns that the database computes.
CREATE TABLE items (id INTEGER PRIMARY KEY, price REAL NOT NULL, count INTEGER NOT NULL, total REAL AS (price * count) STORED, label TEXT AS ('item ' || id));
CREATE TABLE keyed (a INTEGER, b INTEGER AS (a + 1) STORED UNIQUE);
CREATE INDEX items_total ON items (total);
INSERT INTO items (price, count) VALUES (1.5, 2);
