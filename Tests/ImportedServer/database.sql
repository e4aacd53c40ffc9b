-- A PostgreSQL database of another program, with what such databases have.
CREATE TYPE mood AS ENUM ('sad', 'ok', 'very happy');
CREATE DOMAIN postal_code AS text CHECK (VALUE ~ '^[0-9]{5}$');
CREATE TABLE "People" (
    "PersonID" integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    "Full Name" varchar(40) NOT NULL CHECK (char_length("Full Name") >= 2),
    email text UNIQUE,
    mood mood NOT NULL DEFAULT 'ok',
    born date,
    joined timestamp NOT NULL DEFAULT now(),
    seen timestamptz,
    zip postal_code,
    code char(4),
    boss integer REFERENCES "People" ON DELETE SET NULL
);
COMMENT ON TABLE "People" IS 'Who borrows and who works here.';
COMMENT ON COLUMN "People".email IS 'An address: where letters go.';
CREATE INDEX people_boss ON "People" (boss);
CREATE INDEX "people by name" ON "People" ("Full Name", joined DESC);
CREATE INDEX people_lower ON "People" (lower(email));
CREATE TABLE products (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    title text COLLATE "en-x-icu" NOT NULL,
    price numeric(10, 2) NOT NULL CHECK (price > 0),
    weight real,
    height double precision DEFAULT '-1'::integer,
    any_number numeric,
    amount smallint NOT NULL DEFAULT 0 CHECK (amount >= 0 AND amount <= 1000),
    big bigint,
    photo bytea,
    is_new boolean NOT NULL DEFAULT true,
    total numeric(14, 2) GENERATED ALWAYS AS (price * amount) STORED,
    attributes jsonb NOT NULL DEFAULT '{}',
    raw json,
    tags text[] NOT NULL DEFAULT '{}',
    valid interval,
    kind text NOT NULL DEFAULT 'book' CHECK (kind IN ('book', 'film', 'game'))
);
CREATE TABLE orders (
    id bigserial PRIMARY KEY,
    person integer NOT NULL REFERENCES "People",
    at timestamptz NOT NULL DEFAULT CURRENT_TIMESTAMP,
    note varchar
);
CREATE TABLE order_lines (
    order_id bigint NOT NULL REFERENCES orders ON DELETE CASCADE,
    product_id uuid NOT NULL REFERENCES products,
    quantity integer NOT NULL DEFAULT 1,
    PRIMARY KEY (order_id, product_id)
);
CREATE TABLE tags (name text COLLATE "en-x-icu" PRIMARY KEY, "order" integer NOT NULL DEFAULT 0);
CREATE TABLE people_tags (
    person_id integer REFERENCES "People" ON DELETE CASCADE,
    tag text REFERENCES tags ON DELETE CASCADE,
    PRIMARY KEY (person_id, tag)
);
CREATE TABLE moods (mood mood PRIMARY KEY, text text);
CREATE TABLE readings (
    station integer,
    at timestamp,
    value double precision NOT NULL,
    PRIMARY KEY (station, at)
);
CREATE TABLE required (id integer PRIMARY KEY, place point NOT NULL);
CREATE TABLE log (line text);
CREATE TABLE parts (id integer, area text, PRIMARY KEY (id, area)) PARTITION BY LIST (area);
CREATE TABLE parts_north PARTITION OF parts FOR VALUES IN ('north');
CREATE VIEW sales AS
    SELECT p.title, sum(l.quantity) AS sold, max(o.at) AS last, count(*) = 1 AS once
    FROM products AS p JOIN order_lines AS l ON l.product_id = p.id
    JOIN orders AS o ON o.id = l.order_id GROUP BY p.title;
CREATE VIEW broken AS SELECT 1 / (count(*) - count(*)) AS n FROM tags;
CREATE FUNCTION touch() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END $$;
CREATE TRIGGER touched BEFORE UPDATE ON tags FOR EACH ROW EXECUTE FUNCTION touch();

INSERT INTO "People" ("Full Name", email, mood, born, joined, seen, zip, code, boss) VALUES
    ('Ada Ä', 'ada@example.org', 'very happy', '1815-12-10', '2026-11-22 15:28:50.123456',
     '2026-11-22 15:28:50+02', '01234', 'ab', NULL),
    ('bo', NULL, 'sad', NULL, '1999-01-01', NULL, NULL, NULL, 1),
    ('Zoë', 'ZOE@example.org', 'ok', '2000-02-29', '2026-06-30 23:59:59', 'epoch', '99999', 'abcd', 1),
    ('élan', 'e@example.org', 'ok', NULL, '2026-06-30 23:59:59', NULL, NULL, 'x', NULL);
INSERT INTO products (id, title, price, weight, height, any_number, amount, big, photo, is_new, attributes, raw, tags, valid, kind) VALUES
    ('00000000-0000-4000-8000-000000000001', 'Lamp', 12.50, 0.1, 1.5, 3.14159, 3, 9007199254740993,
     '\x00ff', true, '{"b": [1, 2], "a": null}', '{"x" : 1}', '{a,b}', '3 days', 'game'),
    ('00000000-0000-4000-8000-000000000002', 'zebra', 0.01, NULL, NULL, NULL, 0, NULL, NULL, false,
     '{}', NULL, '{}', NULL, 'book'),
    ('00000000-0000-4000-8000-000000000003', 'Ärger', 99999999.99, -2.5, 1e100, -0.000001, 1000,
     -9223372036854775808, '\x', true, '[]', 'null', '{}', '1 year 02:03:04', 'film');
INSERT INTO orders (person, at, note) VALUES (1, '2026-01-01 00:00:00+00', NULL), (2, '2026-02-01', 'x'), (1, '2026-03-01', '');
INSERT INTO order_lines VALUES
    (1, '00000000-0000-4000-8000-000000000001', 2), (1, '00000000-0000-4000-8000-000000000002', 1),
    (2, '00000000-0000-4000-8000-000000000001', 5), (3, '00000000-0000-4000-8000-000000000003', 1);
INSERT INTO tags VALUES ('a', 1), ('B', 2), ('ä', 3);
INSERT INTO people_tags VALUES (1, 'a'), (1, 'ä'), (2, 'a');
INSERT INTO moods VALUES ('ok', 'fine'), ('sad', NULL);
INSERT INTO readings VALUES (1, '2026-01-01', 1.5), (1, '2026-01-01 00:00:00.5', 2.5), (2, '2026-01-01', 0.1);
INSERT INTO required VALUES (1, '(1,2)');
INSERT INTO log VALUES ('a'), ('a');
INSERT INTO parts VALUES (1, 'north');
