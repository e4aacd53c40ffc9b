-- What Django makes.
CREATE TABLE "django_migrations" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "app" varchar(255) NOT NULL, "applied" datetime NOT NULL);
CREATE TABLE "auth_user" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "password" varchar(128) NOT NULL, "last_login" datetime NULL, "is_superuser" bool NOT NULL, "username" varchar(150) NOT NULL UNIQUE);
CREATE TABLE "auth_group" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "name" varchar(150) NOT NULL UNIQUE);
CREATE TABLE "auth_user_groups" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "user_id" integer NOT NULL REFERENCES "auth_user" ("id") DEFERRABLE INITIALLY DEFERRED, "group_id" integer NOT NULL REFERENCES "auth_group" ("id") DEFERRABLE INITIALLY DEFERRED);
CREATE TABLE "shop_product" ("id" char(32) NOT NULL PRIMARY KEY, "price" decimal NOT NULL, "stock" integer unsigned NOT NULL CHECK ("stock" >= 0), "data" text NOT NULL CHECK ((JSON_VALID("data") OR "data" IS NULL)));
CREATE UNIQUE INDEX "auth_user_groups_uniq" ON "auth_user_groups" ("user_id", "group_id");
CREATE INDEX "auth_user_groups_user_id" ON "auth_user_groups" ("user_id");
CREATE INDEX "auth_user_groups_group_id" ON "auth_user_groups" ("group_id");
INSERT INTO auth_user VALUES (1, 'x', '2026-11-22 10:00:00.123456', 1, 'ada');
INSERT INTO auth_group VALUES (1, 'staff');
INSERT INTO auth_user_groups VALUES (1, 1, 1);
INSERT INTO shop_product VALUES ('0123456789abcdef0123456789abcdef', 9.99, 3, '{}');
