#if PostgreSQL
    internal import Foundation
    public import RepositoryRuntime
    internal import RepositorySQLCore

    extension PostgreSQLStore {
        /// Returns the store of a tenant: a schema of its own in the same database.
        ///
        /// It has the options of this store, and shares nothing with it or with other tenants but the
        /// server. No transaction includes two of them, and closing this store does not close them.
        /// The schema is created when the tenant's store is opened. Its name is `tenant.<name>`,
        /// behind the schema of this store and a dot if one was given, with each byte of the name
        /// outside `a-z 0-9 _ -` as `%XX`; a name of more than 63 bytes ends in a hash. The comment of
        /// the schema has the whole name. To remove a tenant, close its stores in all programs and
        /// drop the schema.
        ///
        /// Each call creates a store with connections of its own: keep it while the tenant is active,
        /// and close it afterwards.
        ///
        /// - Parameters:
        ///   - name: the name of the tenant: any text of 1 to 60 bytes of UTF-8. Names are different if
        ///     their bytes are.
        ///   - connections: the greatest number of connections of the tenant's store; `nil` for that of
        ///     this store.
        /// - Throws: `invalidIdentifier` for another length.
        public func tenant(
            _ name: String, connections: Int? = nil
        ) throws(CRUDRepositoryError) -> PostgreSQLStore {
            let tenant = PostgreSQLTenant(try TenantName(name), of: options.schema)
            var options = options
            options.schema = tenant.schema
            if let connections { options.connections = connections }
            return PostgreSQLStore(options, tenant: tenant)
        }

        /// Returns the tenants whose schemas exist, sorted by their bytes. Other schemas are ignored.
        ///
        /// - Throws: `databaseError`.
        public func tenants() async throws -> [String] {
            try access.life.check()
            let label = PostgreSQLTenant.label(of: options.schema)
            let comments = try await PostgreSQLErrors.mapped {
                try await access.leasing(access.pool.answerLimit) {
                    try await PostgreSQLTenant.comments($0)
                }
            }
            return comments.compactMap { comment in
                comment.hasPrefix(label) ? TenantName.decode(comment.dropFirst(label.count)) : nil
            }.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        }
    }

    /// The schema of a tenant.
    struct PostgreSQLTenant: Sendable {
        /// The name of the schema.
        let schema: String
        /// The comment of the schema, which has the whole name of the tenant.
        private let comment: String

        /// - Parameters:
        ///   - name: the name of the tenant.
        ///   - parent: the schema of the store that has the tenant; `nil` for the usual one.
        init(_ name: TenantName, of parent: String?) {
            let whole = (parent.map { $0 + "." } ?? "") + "tenant." + name.encoded
            if whole.utf8.count <= PostgreSQLNames.mostBytes {
                schema = whole
            } else {
                // Two names with one hash are told apart by the comment.
                let hash = ExternalData(Data(whole.utf8)).sha256.prefix(8)
                let digits = hash.map { String(format: "%02x", $0) }.joined()
                var start = whole
                while start.utf8.count > PostgreSQLNames.mostBytes - digits.count - 1 {
                    start.unicodeScalars.removeLast()
                }
                schema = "\(start)~\(digits)"
            }
            comment = Self.label(of: parent) + name.encoded
        }

        /// What precedes the name of a tenant in the comment of its schema. The schema of the store is
        /// in it, with its length, so that no other store's label begins with it.
        static func label(of parent: String?) -> String {
            guard let parent else { return "repository tenant: " }
            return "repository tenant of \(parent.utf8.count) \(parent): "
        }

        /// Returns the comments of all schemas.
        static func comments(_ connection: PostgreSQLConnection) async throws -> [String] {
            let result = try await connection.run(
                """
                SELECT d.description::text FROM pg_namespace AS n \
                JOIN pg_description AS d ON d.objoid = n.oid AND d.classoid = 'pg_namespace'::regclass
                """)
            return (0..<result.count).compactMap { result.text($0, 0) }
        }

        /// Creates the schema with its comment, if it is not there.
        ///
        /// - Throws: `schemaMismatch` if a schema with the name belongs to no tenant, or to another one.
        func create(_ connection: PostgreSQLConnection) async throws {
            while true {
                if let found = try await self.found(connection) {
                    guard found == comment else {
                        throw CRUDRepositoryError.schemaMismatch(
                            store: "PostgreSQL",
                            differences: [
                                "the schema '\(schema)' is there and belongs to no tenant, or to another one"
                            ])
                    }
                    return
                }
                let dialect = PostgreSQLDialect()
                do {
                    try await connection.transaction {
                        try await connection.runSimple("CREATE SCHEMA \(dialect.quoted(schema))")
                        try await connection.runSimple(
                            "COMMENT ON SCHEMA \(dialect.quoted(schema)) IS \(dialect.textLiteral(comment))"
                        )
                    }
                } catch let error as PostgreSQLError where error.isUnique || error.state == "42P06"
                {
                    // Another program created it at the same moment: its comment is read.
                    continue
                }
            }
        }

        /// Returns the comment of the schema, empty if it has none; `nil` if there is no such schema.
        private func found(_ connection: PostgreSQLConnection) async throws -> String? {
            let result = try await connection.run(
                """
                SELECT coalesce(obj_description(n.oid, 'pg_namespace'), '')::text \
                FROM pg_namespace AS n WHERE n.nspname = $1
                """, PostgreSQLCatalog.parameters([schema]))
            return result.count > 0 ? result.text(0, 0) : nil
        }
    }
#endif
