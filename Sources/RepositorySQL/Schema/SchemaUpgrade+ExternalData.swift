internal import RepositoryRuntime
internal import RepositorySQLCore
internal import StoredSchema

extension SchemaUpgrade {
    /// Creates, renames and drops the tables of external data, and removes what records of some
    /// tables may have lost.
    func completeExternalData(_ rewritten: Set<String>) throws {
        for table in opening.removedTables + opening.replacedTables {
            try drop(ChunkTable.name(of: table))
        }
        let found = try session.tables()
        // All of them first to names that no other table has: one may get the name of another.
        var renamed: [(between: String, to: String)] = []
        for case .renameTable(let from, let to) in opening.steps {
            guard found[ChunkTable.name(of: from)] != nil else { continue }
            let between = dialect.quoted("repository_rename_data_\(to)")
            try session.execute(
                "ALTER TABLE \(dialect.quoted(ChunkTable.name(of: from))) RENAME TO \(between)")
            renamed.append((between: between, to: ChunkTable.name(of: to)))
        }
        for (between, to) in renamed {
            try session.execute("ALTER TABLE \(between) RENAME TO \(dialect.quoted(to))")
        }
        let present = try session.tables()
        for table in tables.values.sorted(by: { $0.name < $1.name }) {
            guard let chunks = ChunkTable(table, dialect) else {
                try drop(ChunkTable.name(of: table.name))
                continue
            }
            if present[chunks.name] == nil {
                try session.execute(chunks.create)
            } else if rewritten.contains(table.name) {
                try session.execute(chunks.deleteStray)
            }
        }
    }

    /// Drops a table, if it is there.
    func drop(_ name: String) throws {
        guard try session.tables()[name] != nil else { return }
        try session.execute("DROP TABLE \(session.dialect.quoted(name))")
    }
}
