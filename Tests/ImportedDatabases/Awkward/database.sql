-- Awkward tables of the corpus in one database, whose output is compiled.
CREATE TABLE dates (id INTEGER PRIMARY KEY, day DATE, day_text TEXT, seconds DATETIME, millis TEXT, iso TEXT, iso_millis TEXT, iso_micros TEXT, zoned TEXT, utc TEXT, minutes TEXT, unix TIMESTAMP, unix_millis DATETIME, micros TIMESTAMP, plain INTEGER, zero DATE, mixed TEXT, wrong TEXT);
INSERT INTO dates VALUES (1, '2026-11-22', '2026-11-22', '2026-11-22 15:28:50', '2026-11-22 15:28:50.123', '2026-11-22T15:28:50Z', '2026-11-22T15:28:50.123Z', '2026-11-22T15:28:50.123456Z', '2026-11-22T15:28:50+02:00', '2026-11-22T15:28:50+00:00', '2026-11-22 15:28', 1795361330, 1795361330123, 1795361330123456, 1795361330, '0000-00-00', '2026-11-22', '2026-02-30');
INSERT INTO dates VALUES (2, '1999-01-01', '1999-01-01', '1999-01-01 00:00:00', '1999-01-01 00:00:00.000', '1999-01-01T00:00:00Z', '1999-01-01T00:00:00.000Z', '1999-01-01T00:00:00.000000Z', '1999-01-01T00:00:00Z', '1999-01-01T00:00:00Z', '1999-01-01 00:00', 0, -1, 1, 0, '2000-01-01', '2026-11-22 10:00:00', '2026-02-28');
CREATE TABLE moments (id INTEGER PRIMARY KEY, seconds TEXT NOT NULL, iso TEXT NOT NULL, iso_millis TEXT NOT NULL, iso_micros TEXT NOT NULL, unix DATETIME NOT NULL, millis DATETIME NOT NULL, micros DATETIME NOT NULL, julian DATETIME NOT NULL, ZSTAMP TIMESTAMP NOT NULL, day DATE NOT NULL);
INSERT INTO moments VALUES (1, '2026-11-22 15:28:50', '2026-11-22T15:28:50Z', '2026-11-22T15:28:50.123Z', '2026-11-22T15:28:50.123456Z', 1795361330, 1795361330123, 1795361330123456, 2461367.1450245717, 817054130.123456, '2026-11-22');
INSERT INTO moments VALUES (2, '1999-01-01 00:00:00', '1999-01-01T00:00:00Z', '1999-01-01T00:00:00.000Z', '1999-01-01T00:00:00.000001Z', 915148800, 915148800000, 915148800000001, 2451179.5, -63158400.0, '1999-01-01');
CREATE INDEX moments_iso ON moments (iso);
CREATE INDEX moments_julian ON moments (julian);
CREATE TABLE uppers (id TEXT PRIMARY KEY NOT NULL, other TEXT);
CREATE TABLE lowers (id CHAR(36) PRIMARY KEY NOT NULL, upper_id TEXT REFERENCES uppers(id), self_id CHAR(36) REFERENCES lowers(id));
CREATE TABLE bytes (id BLOB PRIMARY KEY NOT NULL, hash BLOB, parent BLOB REFERENCES bytes(id));
CREATE TABLE mixed (id TEXT PRIMARY KEY NOT NULL);
INSERT INTO uppers VALUES ('ABCDEF00-0000-4000-8000-0000000000D1', 'ABCDEF00-0000-4000-8000-0000000000D2');
INSERT INTO lowers VALUES ('abcdef00-0000-4000-8000-0000000000d1', 'ABCDEF00-0000-4000-8000-0000000000D1', NULL);
INSERT INTO bytes VALUES (x'ABCDEF0000004000800000000000000D', x'ABCDEF0000004000800000000000000D', NULL);
INSERT INTO mixed VALUES ('abcdef00-0000-4000-8000-0000000000d1'), ('ABCDEF00-0000-4000-8000-0000000000D1');
CREATE TABLE null_keys (code TEXT PRIMARY KEY, name TEXT);
CREATE TABLE nullable_keys (code TEXT PRIMARY KEY, name TEXT);
CREATE TABLE composite (region TEXT NOT NULL, number INTEGER NOT NULL, name TEXT, PRIMARY KEY (region, number));
CREATE TABLE backwards (a INTEGER NOT NULL, b INTEGER NOT NULL, PRIMARY KEY (b, a));
CREATE TABLE weights (weight REAL PRIMARY KEY, name TEXT);
CREATE TABLE tags (tag TEXT PRIMARY KEY NOT NULL COLLATE NOCASE);
CREATE TABLE descending (id INTEGER PRIMARY KEY DESC, name TEXT);
CREATE TABLE bigints (id BIGINT PRIMARY KEY NOT NULL);
CREATE TABLE described (description TEXT NOT NULL, "rawValue" INTEGER NOT NULL, PRIMARY KEY (description, "rawValue"));
INSERT INTO null_keys VALUES (NULL, 'a'), ('x', 'b');
INSERT INTO nullable_keys VALUES ('x', 'b');
INSERT INTO composite VALUES ('north', 1, 'a');
INSERT INTO weights VALUES (1.5, 'a');
INSERT INTO tags VALUES ('Swift');
INSERT INTO descending VALUES (1, 'a');
INSERT INTO bigints VALUES (9007199254740993);
CREATE TABLE words (word TEXT NOT NULL PRIMARY KEY, count INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID;
CREATE TABLE strict (id INTEGER PRIMARY KEY, name TEXT NOT NULL, data BLOB, ratio REAL, whatever ANY) STRICT;
CREATE TABLE counted (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT);
CREATE TABLE integers (id INT PRIMARY KEY) WITHOUT ROWID;
INSERT INTO words VALUES ('a', 1), ('b', 2);
INSERT INTO strict VALUES (1, 'a', x'00', 1.0, 'text');
INSERT INTO integers VALUES (5);
CREATE TABLE traps (id INTEGER PRIMARY KEY, name STRING, code STRING, point FLOATING POINT, charint CHARINT, big DECIMAL(20,4), whole NUMERIC(8), price DECIMAL(10,2), exact DECIMAL(10,2), truth BOOLEAN, large REAL, text_number TEXT, blob_text BLOB);
INSERT INTO traps VALUES (1, 'abc', '007', 1.5, '12', 1.2345, 5, 9.99, 0.125, 1, 9007199254740993, 12, 'text');
INSERT INTO traps VALUES (2, 'def', '008', 2, '13', 2, 6, 10, 1.5, 0, 1, 13, 'more');
CREATE TABLE strings (id INTEGER PRIMARY KEY, name STRING NOT NULL);
INSERT INTO strings VALUES (1, 'abc');
CREATE TABLE empty (id INTEGER PRIMARY KEY, a STRING, b DATE, c DATETIME, d BOOLEAN, e DECIMAL(10,2), f, g BLOB, h UUID, i VARCHAR(20), j DOUBLE PRECISION, k JSON);
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
CREATE TABLE books (id INTEGER PRIMARY KEY, title TEXT);
CREATE TABLE authors (id INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE book_authors (book_id INTEGER NOT NULL REFERENCES books, author_id INTEGER NOT NULL REFERENCES authors, PRIMARY KEY (book_id, author_id)) WITHOUT ROWID;
CREATE TABLE loans (book_id INTEGER NOT NULL REFERENCES books ON DELETE CASCADE, author_id INTEGER NOT NULL REFERENCES authors, since TEXT, PRIMARY KEY (author_id, book_id));
CREATE TABLE follows (follower_id INTEGER NOT NULL REFERENCES authors, followed_id INTEGER NOT NULL REFERENCES authors, PRIMARY KEY (follower_id, followed_id));
CREATE TABLE triples (a INTEGER NOT NULL REFERENCES books, b INTEGER NOT NULL REFERENCES authors, c INTEGER NOT NULL REFERENCES books, PRIMARY KEY (a, b, c));
CREATE TABLE "class" ("id" INTEGER PRIMARY KEY, "default" TEXT NOT NULL, "self" TEXT, "init" INTEGER, "where" TEXT, "type" TEXT, "in" REAL);
CREATE TABLE "select" ("order" INTEGER PRIMARY KEY, "group" TEXT, "null" TEXT, "true" INTEGER, "yes" TEXT, "hashValue" TEXT, "description" TEXT);
INSERT INTO "class" ("default", "self", "init", "where", "type", "in") VALUES ('a', 'b', 1, 'c', 'd', 1.5);
INSERT INTO "select" VALUES (1, 'g', 'n', 1, 'y', 'h', 'd');
CREATE TABLE "Order Details" ("Order ID" INTEGER PRIMARY KEY, "Unit Price" REAL, "a:b #c" TEXT, "quote""s" TEXT, "it's" TEXT);
CREATE TABLE "new
line" ("id" INTEGER PRIMARY KEY, "tab	here" TEXT, "back\slash" TEXT, "[x]" TEXT);
CREATE TABLE "" (id INTEGER PRIMARY KEY, "" TEXT);
CREATE TABLE "2nd" (id INTEGER PRIMARY KEY, "1st" TEXT, "___" TEXT, "-" TEXT, "--" TEXT);
CREATE TABLE "größen" (id INTEGER PRIMARY KEY, "Größe" INTEGER, "名前" TEXT, "😀" TEXT);
CREATE TABLE "../../etc" (id INTEGER PRIMARY KEY, "../x" TEXT);
INSERT INTO "Order Details" VALUES (1, 2.5, 'a', 'b', 'c');
INSERT INTO "new
line" VALUES (1, 't', 'b', 'x');
CREATE TABLE defaults (id INTEGER PRIMARY KEY, a TEXT DEFAULT 'it''s', b TEXT NOT NULL DEFAULT "double", c INTEGER DEFAULT -5, d INTEGER DEFAULT 0x10, e REAL DEFAULT 1e3, f BOOLEAN DEFAULT TRUE, g BOOLEAN NOT NULL DEFAULT 0, h TEXT DEFAULT NULL, i DATETIME DEFAULT CURRENT_TIMESTAMP, j DATETIME DEFAULT (datetime('now')), k TEXT DEFAULT (lower(hex(randomblob(16)))), l BLOB DEFAULT x'00', m DECIMAL(10,2) DEFAULT 1.50, n DECIMAL(10,2) DEFAULT 1.555, o DATE DEFAULT '2020-02-30', p DATE DEFAULT '2020-02-29', q INTEGER DEFAULT 99999999999999999999, r TEXT DEFAULT '', s TEXT DEFAULT '12', t DATE DEFAULT CURRENT_DATE, u REAL DEFAULT 2);
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
CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT NOT NULL, email TEXT UNIQUE, city TEXT, born INTEGER, deleted INTEGER, nick TEXT UNIQUE COLLATE NOCASE);
CREATE INDEX people_name ON people (name);
CREATE INDEX people_name_again ON people (name);
CREATE INDEX people_city_born ON people (city, born DESC);
CREATE INDEX people_city ON people (city);
CREATE UNIQUE INDEX people_city_name ON people (city, name);
CREATE INDEX people_lower ON people (lower(name));
CREATE INDEX people_present ON people (born) WHERE deleted IS NULL;
CREATE INDEX people_nocase ON people (city COLLATE NOCASE);
CREATE INDEX people_id ON people (id);
CREATE INDEX people_born ON people (born DESC);
CREATE TABLE chickens (id INTEGER PRIMARY KEY, egg_id INTEGER NOT NULL REFERENCES eggs (id));
CREATE TABLE eggs (id INTEGER PRIMARY KEY, chicken_id INTEGER NOT NULL REFERENCES chickens (id));
CREATE TABLE items (id INTEGER PRIMARY KEY, title TEXT NOT NULL, price REAL NOT NULL, count INTEGER NOT NULL DEFAULT 1, total REAL AS (price * count) STORED, label TEXT AS ('item ' || id), anything, stock NUMERIC, name TEXT COLLATE NOCASE);
CREATE INDEX items_total ON items (total);
CREATE INDEX items_name ON items (name);
INSERT INTO items (id, title, price, count, anything, stock, name) VALUES (1, 'a', 1.5, 2, 'ten', 'many', 'Anna'), (2, 'b', 2.25, 4, 10, 5, 'anna'), (3, 'a', 10, 1, 9.5, 'none', 'Bob'), (4, 'c', 0, 1, NULL, 7, NULL);
CREATE TABLE visits (at TEXT, page TEXT, amount);
INSERT INTO visits (rowid, at, page, amount) VALUES (7, '2026-11-22 15:28:50', 'start', 1), (3, '2026-11-22 15:28:51', 'start', 'one'), (12, '2026-11-23 00:00:00', NULL, 2.5);
CREATE TABLE required (id INTEGER PRIMARY KEY, value NOT NULL);
INSERT INTO required VALUES (1, 1), (2, 'two');
CREATE VIEW sales AS SELECT title, sum(total) AS income, count(*) AS number, max(name) AS last FROM items GROUP BY title;
CREATE VIEW item_pages AS SELECT v.page, i.title FROM items AS i, visits AS v;
