-- Indexes that a schema can say, and others.
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
