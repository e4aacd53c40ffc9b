-- Texts with U+0000, long texts, and texts in other scripts.
CREATE TABLE texts (id INTEGER PRIMARY KEY, nul TEXT, long TEXT, script TEXT, empty TEXT);
INSERT INTO texts VALUES (1, 'a' || char(0) || 'b', printf('%.*c', 5000, 'x'), '名前 ß 😀', ''), (2, '', '', '', '');
