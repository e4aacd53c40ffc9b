-- Keywords of SQL, of Swift and of the schema language as names.
CREATE TABLE "class" ("id" INTEGER PRIMARY KEY, "default" TEXT NOT NULL, "self" TEXT, "init" INTEGER, "where" TEXT, "type" TEXT, "in" REAL);
CREATE TABLE "select" ("order" INTEGER PRIMARY KEY, "group" TEXT, "null" TEXT, "true" INTEGER, "yes" TEXT, "hashValue" TEXT, "description" TEXT);
CREATE TABLE "entity" (id INTEGER PRIMARY KEY, "entity" TEXT, "fields" TEXT);
INSERT INTO "class" ("default", "self", "init", "where", "type", "in") VALUES ('a', 'b', 1, 'c', 'd', 1.5);
INSERT INTO "select" VALUES (1, 'g', 'n', 1, 'y', 'h', 'd');
