-- Small sets of texts, for which an enum is offered.
CREATE TABLE tickets (id INTEGER PRIMARY KEY, state TEXT NOT NULL, priority TEXT, secret TEXT);
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60)
INSERT INTO tickets SELECT i, CASE i % 3 WHEN 0 THEN 'open' WHEN 1 THEN 'in progress' ELSE 'closed' END, CASE WHEN i % 2 THEN 'high' END, 'password: ' || (i % 2) FROM n;
