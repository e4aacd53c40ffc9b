-- Values of several kinds in one column, and columns without a type.
CREATE TABLE mixed (id INTEGER PRIMARY KEY, anything, number, amount INTEGER, flag BOOLEAN, price NUMERIC, note TEXT);
CREATE TABLE required (id INTEGER PRIMARY KEY, value NOT NULL);
CREATE TABLE untyped (a, b, PRIMARY KEY (a));
CREATE TABLE notUTF8 (id INTEGER PRIMARY KEY, name TEXT);
INSERT INTO mixed VALUES (1, 'text', 1, 1, 1, 1.5, 'a'), (2, 2, 2, 2.5, 2, 2, 'b'), (3, x'00', 3, 3, 0, 3, x'6162');
INSERT INTO required VALUES (1, 1), (2, 'two');
INSERT INTO untyped VALUES (1, 'x');
INSERT INTO notUTF8 VALUES (1, CAST(x'ff' AS TEXT));
