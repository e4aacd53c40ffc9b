-- A database whose texts are UTF-16.
PRAGMA encoding = 'UTF-16le';
CREATE TABLE "größen" (id INTEGER PRIMARY KEY, name TEXT NOT NULL, at TEXT);
INSERT INTO "größen" VALUES (1, 'klein', '2026-11-22 10:00:00'), (2, 'groß', '2026-11-23 10:00:00');
