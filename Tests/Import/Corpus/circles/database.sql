-- Required references that form a circle.
CREATE TABLE chickens (id INTEGER PRIMARY KEY, egg_id INTEGER NOT NULL REFERENCES eggs (id));
CREATE TABLE eggs (id INTEGER PRIMARY KEY, chicken_id INTEGER NOT NULL REFERENCES chickens (id));
