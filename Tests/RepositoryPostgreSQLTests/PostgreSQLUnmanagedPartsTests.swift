#if PostgreSQL
    import Foundation
    import RepositoryRuntime
    import StoredSchema
    import Testing

    @testable import RepositoryPostgreSQL
    @testable import RepositoryTesting

    /// What other programs made on a table that migrates.
    @Suite(
        "What other programs made on a table of PostgreSQL",
        .enabled(if: TestServer.isAvailable, TestServer.reason))
    struct PostgreSQLUnmanagedPartsTests {
        /// A schema and a role of a test.
        private let name = "parts-\(UUID().uuidString.prefix(8))"

        private var parts: String {
            """
            SET LOCAL search_path TO "\(name)";
            ALTER TABLE pictures ADD COLUMN "their column" text NOT NULL DEFAULT 'a' \
                CONSTRAINT theirs CHECK ("their column" <> 'b');
            ALTER TABLE pictures ADD COLUMN doubled bigint GENERATED ALWAYS AS (id * 2) STORED;
            UPDATE pictures SET "their column" = 'kept';
            CREATE INDEX by_column ON pictures (lower("their column")) WHERE id > 0;
            CREATE TABLE log (id bigint, event text);
            CREATE FUNCTION log_event() RETURNS trigger LANGUAGE plpgsql AS \
                'BEGIN INSERT INTO "\(name)".log VALUES (NEW.id, TG_OP); RETURN NEW; END';
            CREATE TRIGGER on_any BEFORE INSERT OR UPDATE ON pictures FOR EACH ROW \
                EXECUTE FUNCTION log_event();
            CREATE TRIGGER always AFTER UPDATE ON pictures FOR EACH ROW EXECUTE FUNCTION log_event();
            ALTER TABLE pictures ENABLE ALWAYS TRIGGER always;
            CREATE TRIGGER never AFTER UPDATE ON pictures FOR EACH ROW EXECUTE FUNCTION log_event();
            ALTER TABLE pictures DISABLE TRIGGER never;
            CREATE RULE on_update AS ON UPDATE TO pictures DO ALSO \
                INSERT INTO log VALUES (NEW.id, 'rule');
            CREATE VIEW their_view AS SELECT id, doubled FROM pictures;
            CREATE MATERIALIZED VIEW stored_view AS SELECT id, "their column" FROM pictures;
            CREATE TABLE visits (picture bigint REFERENCES pictures);
            INSERT INTO visits VALUES (1);
            CREATE ROLE "\(name)";
            GRANT SELECT, UPDATE (id) ON pictures TO "\(name)";
            ALTER TABLE pictures ENABLE ROW LEVEL SECURITY;
            CREATE POLICY theirs ON pictures TO "\(name)" USING (id > 1);
            COMMENT ON TABLE pictures IS 'a comment';
            COMMENT ON COLUMN pictures.doubled IS 'another one';
            ALTER TABLE pictures REPLICA IDENTITY FULL, SET (fillfactor = 70);
            CREATE STATISTICS theirs ON id, doubled FROM pictures;
            """
        }

        /// A query that describes all that other programs made.
        private var described: String {
            let table = "'\"\(name)\".pictures'::regclass"
            return """
                SELECT string_agg(part, E'\\n' ORDER BY part) FROM ( \
                SELECT concat(pg_get_triggerdef(oid), tgenabled) FROM pg_trigger WHERE tgrelid = \(table) \
                AND NOT tgisinternal AND tgname NOT LIKE 'repository%' \
                UNION ALL SELECT concat(pg_get_ruledef(oid), ev_enabled) FROM pg_rewrite WHERE ev_class = \(table) \
                UNION ALL SELECT concat(polname, pg_get_expr(polqual, polrelid)) FROM pg_policy WHERE polrelid = \(table) \
                UNION ALL SELECT concat(relrowsecurity, relacl, relreplident, reloptions, relowner) \
                FROM pg_class WHERE oid = \(table) \
                UNION ALL SELECT concat(attname, attacl, col_description(attrelid, attnum), \
                attgenerated, attnotnull) FROM pg_attribute WHERE attrelid = \(table) \
                AND attname IN ('id', 'their column', 'doubled') \
                UNION ALL SELECT obj_description(\(table)) \
                UNION ALL SELECT pg_get_constraintdef(oid) FROM pg_constraint \
                WHERE conname = 'theirs' AND conrelid = \(table) OR confrelid = \(table) \
                UNION ALL SELECT indexdef FROM pg_indexes WHERE indexname = 'by_column' AND schemaname = '\(name)' \
                UNION ALL SELECT definition FROM pg_views WHERE schemaname = '\(name)' \
                UNION ALL SELECT definition FROM pg_matviews WHERE schemaname = '\(name)' \
                UNION ALL SELECT stxname::text FROM pg_statistic_ext WHERE stxrelid = \(table) \
                UNION ALL SELECT concat(id, "their column", doubled) FROM "\(name)".pictures \
                ) AS parts(part)
                """
        }

        /// Fills a table, lets another program add to it, and opens it with a later version.
        private func migrate<S: PictureShape>(
            _ more: String = "", to shape: S.Type, _ changes: [DataChange],
            _ body: (() throws -> PictureRepository<S>) async throws -> Void
        ) async throws {
            typealias Old = PictureVersions.Old
            var chain = VersionChain()
            chain.release([Picture<Old>.self])
            let store = try TestServer.store(name, connections: 2)
            let old = PictureRepository(Old.self, store, try chain.schema([Picture<Old>.self]))
            for id in 1...3 {
                try await old.create(
                    Picture(id: .init(id), image: ExternalData(Data([1])), note: "\(id)"))
            }
            try await store.close()
            chain.release([Picture<S>.self], changes)
            let schema = try chain.schema([Picture<S>.self])
            let drop = "DROP SCHEMA \"\(name)\" CASCADE; DROP ROLE IF EXISTS \"\(name)\""
            do {
                try await TestServer.run(parts + more)
                try await body {
                    PictureRepository(
                        shape, try TestServer.store(name, connections: 2), schema)
                }
            } catch {
                try await TestServer.run(drop)
                throw error
            }
            try await TestServer.run(drop)
        }

        private func check<S: PictureShape>(to shape: S.Type, _ changes: [DataChange]) async throws
        {
            try await migrate(to: shape, changes) { open in
                let before = try await TestServer.value(described)
                let logged = "SELECT count(*)::text FROM \"\(name)\".log"
                let count = try await TestServer.value(logged)
                let pictures = try open()
                #expect(try await pictures.fetch().map(\.note) == ["1", "2", "3"])
                #expect(try await TestServer.value(described) == before)
                // The migration ran none of their triggers and rules.
                #expect(try await TestServer.value(logged) == count)
                try await pictures.create(Picture(id: .init(4), note: "4"))
                #expect(
                    try await TestServer.value(
                        "SELECT event FROM \"\(name)\".log WHERE id = 4") == "INSERT")
                #expect(try await pictures.findAll(note: "4").map(\.id.rawValue) == [4])
                #expect(try await pictures.read(1).image?.load() == Data([1]))
                try await pictures.context.store.close()
            }
        }

        @Test("is kept by a conversion")
        func converted() async throws {
            try await check(
                to: PictureVersions.Counted.self,
                [.convert(DataPath("pictures", ["note"]), .single("int64"), isOptional: false)])
        }

        @Test("is kept by a rebuild") func rebuilt() async throws {
            try await check(to: PictureVersions.Optionals.self, [])
        }

        @Test("is kept where a field gets another name") func renamed() async throws {
            try await check(
                to: PictureVersions.Remarks.self,
                [.rename(DataPath("pictures", ["note"]), to: "remark")])
        }

        /// Statements of another program that name a field, and what the error names.
        private static let misfits = [
            "CREATE VIEW lengths AS SELECT length(note) FROM pictures": "view lengths",
            "CREATE TRIGGER by_note AFTER UPDATE OF note ON pictures FOR EACH ROW EXECUTE FUNCTION log_event()":
                "trigger by_note",
            "CREATE INDEX by_length ON pictures (length(note))": "index by_length",
            "CREATE POLICY by_text ON pictures USING (note <> '')": "policy by_text",
            "ALTER TABLE pictures ADD CHECK (length(note) < 100)": "pictures_note_check",
            "ALTER TABLE pictures ADD long boolean GENERATED ALWAYS AS (length(note) > 9) STORED":
                "long",
        ]

        @Test("is named where it does not fit a version, which changes nothing", arguments: misfits)
        func refused(statement: String, word: String) async throws {
            try await migrate(
                statement, to: PictureVersions.Remarks.self,
                [
                    .remove(DataPath("pictures", ["note"])),
                    .add(
                        DataPath("pictures", ["remark"]), .single("text"), isOptional: false,
                        value: .text("new")),
                ]
            ) { open in
                let before = try await TestServer.value(described)
                do {
                    _ = try await open().fetch()
                    Issue.record("The version was opened.")
                } catch let error as CRUDRepositoryError {
                    #expect(error.code == .schemaMismatch)
                    #expect(error.message.contains(word), "\(error)")
                }
                #expect(try await TestServer.value(described) == before)
                #expect(
                    try await TestServer.value(
                        "SELECT string_agg(note, ',' ORDER BY id) FROM \"\(name)\".pictures")
                        == "1,2,3")
            }
        }

        @Test("hides no record from a migration: the server refuses it")
        func hiddenRecords() async throws {
            let role = name
            try await migrate(
                """
                ALTER ROLE "\(role)" LOGIN; GRANT USAGE, CREATE ON SCHEMA "\(role)" TO "\(role)"; \
                DROP VIEW their_view; DROP MATERIALIZED VIEW stored_view; \
                DO $$ DECLARE r record; BEGIN FOR r IN SELECT relname FROM pg_class \
                WHERE relnamespace = '"\(role)"'::regnamespace AND relkind = 'r' LOOP \
                EXECUTE format('ALTER TABLE %I OWNER TO "\(role)"', r.relname); END LOOP; \
                FOR r IN SELECT oid::regprocedure AS relname FROM pg_proc \
                WHERE pronamespace = '"\(role)"'::regnamespace LOOP \
                EXECUTE format('ALTER FUNCTION %s OWNER TO "\(role)"', r.relname); END LOOP; END $$; \
                ALTER TABLE pictures FORCE ROW LEVEL SECURITY;
                """, to: PictureVersions.Counted.self,
                [.convert(DataPath("pictures", ["note"]), .single("int64"), isOptional: false)]
            ) { open in
                let schema = try open().context.schema
                let address = try TestServer.address("user=\(role)")
                let pictures = PictureRepository(
                    PictureVersions.Counted.self,
                    PostgreSQLStore(address, schema: role, connections: 2), schema)
                let error = await #expect(throws: CRUDRepositoryError.self) {
                    _ = try await pictures.fetch()
                }
                #expect(error.map { "\($0)".contains("row-level security") } == true)
                #expect(
                    try await TestServer.value(
                        "SELECT string_agg(note::text, ',' ORDER BY id) FROM \"\(role)\".pictures")
                        == "1,2,3")
                // Policies do not hide records from an owner, unless they are forced to.
                try await TestServer.run(
                    "ALTER TABLE \"\(role)\".pictures NO FORCE ROW LEVEL SECURITY")
                #expect(try await pictures.fetch().map(\.note) == ["1", "2", "3"])
                #expect(
                    try await TestServer.value(
                        "SELECT polname FROM pg_policy WHERE polrelid = '\"\(role)\".pictures'::regclass"
                    )
                        == "theirs")
                try await pictures.context.store.close()
            }
        }

        @Test("A role that may write records alone removes external data with them")
        func externalDataOfAnotherRole() async throws {
            try await migrate(to: PictureVersions.Old.self, []) { _ in
                let chunks = "SELECT count(*)::text FROM \"\(name)\".repository_chunks_pictures"
                #expect(try await TestServer.value(chunks) == "3")
                try await TestServer.run(
                    """
                    SET LOCAL search_path TO "\(name)"; ALTER TABLE pictures DISABLE ROW LEVEL SECURITY; \
                    GRANT USAGE ON SCHEMA "\(name)" TO "\(name)"; GRANT DELETE ON pictures TO "\(name)"; \
                    GRANT TEMPORARY ON DATABASE postgres TO "\(name)"; SET LOCAL ROLE "\(name)"; \
                    CREATE TEMPORARY TABLE repository_chunks_pictures (LIKE pictures); \
                    DELETE FROM pictures WHERE id = 2; DROP TABLE pg_temp.repository_chunks_pictures
                    """)
                #expect(try await TestServer.value(chunks) == "2")
                try await TestServer.run(
                    "REVOKE TEMPORARY ON DATABASE postgres FROM \"\(name)\"")
            }
        }
    }
#endif
