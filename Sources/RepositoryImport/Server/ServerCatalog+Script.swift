/// The queries of the catalog.
extension ServerCatalog {
    /// The relations of the current schema, without those of extensions and of this package.
    private static let relation = """
        FROM pg_class AS c WHERE c.relnamespace = current_schema()::regnamespace \
        AND c.relkind IN ('r', 'p', 'v', 'm', 'f') AND c.relname <> 'repository_schema' \
        AND NOT EXISTS (SELECT 1 FROM pg_depend AS d WHERE d.classid = 'pg_class'::regclass \
        AND d.objid = c.oid AND d.deptype = 'e')
        """

    /// The names and numbers of these relations.
    private static let relations = "(SELECT c.oid, c.relname, c.relkind \(relation)) AS r"

    /// The script. Each row of each query has 14 values; the first one tells what it describes.
    static let script = [
        """
        SELECT 'relation', c.relname, c.relkind::text, c.relispartition, \
        coalesce(obj_description(c.oid, 'pg_class'), ''), \(padding(9)) \(relation) ORDER BY c.relname
        """,
        """
        SELECT 'column', r.relname, a.attname, format_type(a.atttypid, a.atttypmod), base.typname, \
        base.typtype::text, CASE WHEN base.typname = 'numeric' AND base.typmod >= 4 \
        THEN (((((base.typmod - 4) & 2047) # 1024) - 1024)::text) ELSE '' END, \
        a.attnotnull OR t.typnotnull, \
        CASE WHEN a.attidentity <> '' THEN 'identity' \
        ELSE coalesce(pg_get_expr(f.adbin, f.adrelid), t.typdefault, '') END, \
        CASE WHEN l.collname IS NOT NULL THEN l.collname || '!' \
        ELSE coalesce(nullif(a.attgenerated::text, ''), a.attidentity::text) END, \
        EXISTS (SELECT 1 FROM pg_sequence AS s WHERE s.seqincrement = 1 AND s.seqrelid = \
        pg_get_serial_sequence(quote_ident(r.relname), a.attname)::regclass), \
        EXISTS (SELECT 1 FROM pg_index AS i WHERE i.indrelid = r.oid AND i.indisprimary \
        AND a.attnum = ANY (i.indkey)), coalesce(col_description(r.oid, a.attnum), ''), \
        coalesce((SELECT string_agg(e.enumlabel, E'\\x1f' ORDER BY e.enumsortorder) \
        FROM pg_enum AS e WHERE e.enumtypid = base.oid), '') \
        FROM \(relations) JOIN pg_attribute AS a ON a.attrelid = r.oid AND a.attnum > 0 \
        AND NOT a.attisdropped JOIN pg_type AS t ON t.oid = a.atttypid \
        LEFT JOIN pg_attrdef AS f ON f.adrelid = r.oid AND f.adnum = a.attnum \
        CROSS JOIN LATERAL (WITH RECURSIVE d(oid, typmod) AS (SELECT t.oid, a.atttypmod UNION ALL \
        SELECT p.typbasetype, p.typtypmod FROM d JOIN pg_type AS p ON p.oid = d.oid \
        WHERE p.typtype = 'd') SELECT p.oid, p.typtype, p.typname, d.typmod FROM d \
        JOIN pg_type AS p ON p.oid = d.oid WHERE p.typtype <> 'd') AS base \
        LEFT JOIN pg_collation AS l ON l.oid = a.attcollation AND NOT l.collisdeterministic \
        ORDER BY r.relname, a.attnum
        """,
        """
        SELECT 'index', r.relname, x.relname, i.indisunique, i.indisprimary, \
        i.indpred IS NOT NULL, coalesce(a.attname, ''), (i.indoption[k.place] & 1) = 1, \(padding(6)) \
        FROM \(relations) JOIN pg_index AS i ON i.indrelid = r.oid AND i.indisvalid \
        JOIN pg_class AS x ON x.oid = i.indexrelid JOIN pg_am AS m ON m.oid = x.relam \
        AND m.amname = 'btree' CROSS JOIN generate_series(0, i.indnkeyatts - 1) AS k(place) \
        LEFT JOIN pg_attribute AS a ON a.attrelid = r.oid AND a.attnum = i.indkey[k.place] \
        AND a.attnum > 0 ORDER BY r.relname, x.relname, k.place
        """,
        """
        SELECT 'reference', r.relname, c.conname, CASE WHEN t.relnamespace = \
        current_schema()::regnamespace THEN t.relname ELSE t.oid::regclass::text END, \
        a.attname, b.attname, c.confdeltype::text, k.place, \(padding(6)) \
        FROM \(relations) JOIN pg_constraint AS c ON c.conrelid = r.oid AND c.contype = 'f' \
        JOIN pg_class AS t ON t.oid = c.confrelid \
        CROSS JOIN LATERAL unnest(c.conkey, c.confkey) WITH ORDINALITY AS k(own, other, place) \
        JOIN pg_attribute AS a ON a.attrelid = c.conrelid AND a.attnum = k.own \
        JOIN pg_attribute AS b ON b.attrelid = c.confrelid AND b.attnum = k.other \
        ORDER BY r.relname, c.conname, k.place
        """,
        """
        SELECT 'check', r.relname, c.conname, pg_get_expr(c.conbin, c.conrelid), \(padding(10)) \
        FROM \(relations) JOIN pg_constraint AS c ON c.conrelid = r.oid AND c.contype = 'c' \
        ORDER BY r.relname, c.conname
        """,
        """
        SELECT 'trigger', r.relname, g.tgname, \(padding(11)) \
        FROM \(relations) JOIN pg_trigger AS g ON g.tgrelid = r.oid AND NOT g.tgisinternal \
        ORDER BY r.relname, g.tgname
        """,
    ].map { $0 + ";" }.joined(separator: "\n")

    /// Returns values that fill a row.
    private static func padding(_ count: Int) -> String {
        Array(repeating: "''", count: count).joined(separator: ", ")
    }
}
