-- A further reference makes a relation ambiguous.
CREATE TABLE clients (id INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE loans (id INTEGER PRIMARY KEY, client_id INTEGER NOT NULL REFERENCES clients, approver_id INTEGER REFERENCES clients);
