-- What Ruby on Rails makes.
CREATE TABLE "schema_migrations" ("version" varchar NOT NULL PRIMARY KEY);
CREATE TABLE "users" ("id" integer PRIMARY KEY AUTOINCREMENT NOT NULL, "email" varchar DEFAULT '' NOT NULL, "admin" boolean DEFAULT 0 NOT NULL, "created_at" datetime(6) NOT NULL, "updated_at" datetime(6) NOT NULL);
CREATE TABLE "posts" ("id" integer PRIMARY KEY AUTOINCREMENT NOT NULL, "user_id" integer NOT NULL, "title" varchar, "published_on" date, CONSTRAINT "fk_rails_5b5ddfd518" FOREIGN KEY ("user_id") REFERENCES "users" ("id"));
CREATE INDEX "index_posts_on_user_id" ON "posts" ("user_id");
CREATE UNIQUE INDEX "index_users_on_email" ON "users" ("email");
INSERT INTO users VALUES (1, 'a@example.org', 1, '2026-11-22 10:00:00.123456', '2026-11-22 10:00:00.123456');
INSERT INTO posts VALUES (1, 1, 'a', '2026-11-22');
