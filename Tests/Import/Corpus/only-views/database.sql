-- Nothing that can be described.
CREATE TABLE log (message TEXT);
CREATE VIEW v AS SELECT message FROM log;
