-- Views, triggers and virtual tables.
CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL, changed_at TEXT);
CREATE VIEW short_notes AS SELECT id, text FROM notes WHERE length(text) < 10;
CREATE VIEW broken AS SELECT * FROM nowhere;
CREATE TRIGGER stamp AFTER UPDATE ON notes BEGIN UPDATE notes SET changed_at = datetime('now') WHERE id = new.id; END;
CREATE TRIGGER "odd
name" AFTER DELETE ON notes BEGIN SELECT 1; END;
CREATE VIRTUAL TABLE found USING fts5(text);
INSERT INTO notes VALUES (1, 'a', NULL);
