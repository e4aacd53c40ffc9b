-- Lines can follow aliases; an anchored block may be used elsewhere.
CREATE TABLE authors (id INTEGER PRIMARY KEY, name TEXT, nick TEXT, born INTEGER);
