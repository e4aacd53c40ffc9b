package import RepositoryRuntime
internal import StoredSchema

/// A connection on which tables of external data are created and changed.
package protocol ChunkSession: SQLSession {
    /// Returns whether the triggers of a table of external data are there, as
    /// ``createTriggers(of:)`` creates them.
    func hasTriggers(of chunks: ChunkTable) throws -> Bool
    /// Creates the triggers that remove external data from its table with the fields and records
    /// that contain it. Existing ones are replaced.
    func createTriggers(of chunks: ChunkTable) throws
    /// Drops the triggers on a table, if there are any.
    ///
    /// - Parameter table: the stored name of a table whose records have external data.
    func dropTriggers(ofChunksOf table: String) throws
}

extension ChunkSession {
    /// The store itself removes external data.
    package func hasTriggers(of chunks: ChunkTable) throws -> Bool { true }
    /// The store itself removes external data.
    package func createTriggers(of chunks: ChunkTable) throws {}
    /// The store itself removes external data.
    package func dropTriggers(ofChunksOf table: String) throws {}
}

/// Creates, renames and drops the tables of external data, with the tables of the records.
///
/// Every method must be called inside a transaction.
package struct ChunkTables: SQLExtra {
    private let tables: [ChunkTable]
    private let session: any ChunkSession
    private var dialect: any SQLDialect { session.dialect }

    /// Prepares the tables of a schema.
    package init(_ tables: [SQLTable], _ session: any ChunkSession) {
        self.tables = tables.compactMap { ChunkTable($0, session.dialect) }
            .sorted { $0.table.name < $1.table.name }
        self.session = session
    }

    /// Returns whether all tables and triggers are there.
    package func areComplete() throws -> Bool {
        if tables.isEmpty { return true }
        let found = try foundNames()
        return try tables.allSatisfy {
            try found.contains(Array($0.name.utf8)) && session.hasTriggers(of: $0)
        }
    }

    /// Renames the tables as an upgrade renames those of the records, and drops those of tables
    /// and fields that go. Must be called before the upgrade changes tables.
    ///
    /// The triggers of tables that the upgrade changes are dropped, because they contain names of
    /// tables and columns. ``complete(rewritten:)`` creates them again.
    package func move(_ opening: SchemaOpening) throws {
        let stored = opening.storedExternalData
        if stored.isEmpty { return }
        let names = Dictionary(
            opening.renamedTables.map { ($0.from, $0.to) }, uniquingKeysWith: { $1 })
        let changed = Set(opening.steps.map(\.table)).union(opening.migrations.keys)
        let dropped = opening.droppedExternalData
        for name in stored
        where changed.contains(names[name] ?? name) || dropped.contains(name) {
            try session.dropTriggers(ofChunksOf: name)
        }
        let found = try foundNames()
        func isThere(_ table: String) -> Bool {
            found.contains(Array(ChunkTable.name(of: table, dialect).utf8))
        }
        for name in dropped where isThere(name) {
            try session.change("DROP TABLE \(quoted(name))")
        }
        let moved = opening.renamedExternalData.filter {
            isThere($0.from) && !dropped.contains($0.from)
        }
        // All of them first to names that no other table has: one may get the name of another, and
        // some databases refuse a name that differs only in case.
        func between(_ name: String) -> String {
            dialect.quoted(dialect.fitting("repository_rename_chunks_\(name)"))
        }
        for (from, to) in moved {
            try session.change("ALTER TABLE \(quoted(from)) RENAME TO \(between(to))")
        }
        for (_, to) in moved {
            try session.change("ALTER TABLE \(between(to)) RENAME TO \(quoted(to))")
        }
    }

    /// Creates the tables and triggers that are missing, and removes the chunks that records have
    /// lost meanwhile.
    ///
    /// - Parameter rewritten: the tables whose records may have lost external data without
    ///   triggers.
    package func complete(rewritten: Set<String>) throws {
        if tables.isEmpty { return }
        let found = try foundNames()
        for chunks in tables {
            let isThere = found.contains(Array(chunks.name.utf8))
            if isThere, !rewritten.contains(chunks.table.name), try session.hasTriggers(of: chunks)
            {
                continue
            }
            if !isThere { try session.change(chunks.create) }
            try session.createTriggers(of: chunks)
            if isThere { try session.change(chunks.deleteStray) }
        }
    }

    /// Creates the tables and triggers that are missing.
    package func complete() throws { try complete(rewritten: []) }

    /// The quoted name of the table with the external data of a table.
    private func quoted(_ table: String) -> String {
        dialect.quoted(ChunkTable.name(of: table, dialect))
    }

    /// The names of all tables, which strings would compare by canonical equivalence.
    private func foundNames() throws -> Set<[UInt8]> {
        Set(try session.tableNames().map { Array($0.utf8) })
    }
}

extension ChunkTable {
    /// Returns the problem that a check reports: chunks that no record has.
    ///
    /// - Parameter count: the number of the chunks. Without any, there is no problem.
    package func problems(_ count: Int64) -> [StoreCheck.Problem] {
        guard count > 0 else { return [] }
        return [
            StoreCheck.Problem(
                .strayExternalData, table: table.name,
                "The external data of '\(table.name)' has \(count) chunks that no record has.")
        ]
    }
}
