-- Spaces, quotes, line breaks, other scripts and empty names.
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
