-- Foreign keys of several columns, and a chain of keys that are references.
CREATE TABLE regions (country TEXT NOT NULL, code TEXT NOT NULL, PRIMARY KEY (country, code));
CREATE TABLE cities (id INTEGER PRIMARY KEY, country TEXT, code TEXT, FOREIGN KEY (country, code) REFERENCES regions);
CREATE TABLE persons (id INTEGER PRIMARY KEY);
CREATE TABLE employees (person_id INTEGER PRIMARY KEY REFERENCES persons);
CREATE TABLE managers (employee_id INTEGER PRIMARY KEY REFERENCES employees (person_id), level INTEGER);
CREATE TABLE tickets (id INTEGER PRIMARY KEY, manager INTEGER REFERENCES managers);
INSERT INTO persons VALUES (1);
INSERT INTO employees VALUES (1);
INSERT INTO managers VALUES (1, 2);
INSERT INTO tickets VALUES (1, 1);
