package import RepositoryRuntime
internal import StoredSchema

/// The records that a migration rewrites or reads.
package struct SQLMigrationSize {
    private let opening: SchemaOpening

    /// Measures the migration of an opening.
    package init(_ opening: SchemaOpening) { self.opening = opening }

    /// The tables whose stored records are rewritten: the declared and the stored names.
    private var rewritten: [(name: String, stored: String)] {
        opening.migrations.keys.sorted().map { name in
            for case .renameTable(let old, let new) in opening.steps where new == name {
                return (name, old)
            }
            return (name, name)
        }
    }

    /// The tables that are rewritten or that functions over several tables read, by name: the
    /// declared and the stored names.
    package var tables: [(name: String, stored: String)] {
        (rewritten + opening.readTables.map { (name: $0, stored: $0) }).sorted { $0.name < $1.name }
    }

    /// Returns the number of records that are rewritten, and the numbers in the tables that
    /// functions over several tables read, by stored name.
    package func records(
        _ session: any SQLMigrationSession
    ) throws -> (rewritten: Int, read: [String: Int]) {
        (
            try rewritten.reduce(0) { try $0 + Self.count($1.stored, session) },
            try opening.readTables.reduce(into: [:]) { $0[$1] = try Self.count($1, session) }
        )
    }

    /// Returns the number of records of a table.
    package static func count(
        _ table: String, _ session: any SQLMigrationSession
    ) throws -> Int {
        let texts = try session.texts("SELECT count(*) FROM \(session.dialect.quoted(table))")
        return texts.first.flatMap { Int($0) } ?? 0
    }
}

extension SchemaOpening {
    /// Returns what receives the records that cannot be migrated; nil if they are an error.
    ///
    /// - Parameters:
    ///   - schema: the declared schema.
    ///   - session: the connection.
    package func setAside(
        for schema: StoreSchema, _ session: any SQLMigrationSession
    ) throws -> SQLSetAside? {
        let plan = plan(of: session.storeName)
        guard case .setAside(let url) = schema.control.unreadable, plan.from != .none else {
            return nil
        }
        let file = try SetAsideFile(url, set: schema.name, plan, revision: result.revision)
        return SQLSetAside(file, session)
    }

    /// Returns what counts the records.
    ///
    /// - Parameters:
    ///   - schema: the declared schema.
    ///   - session: the connection.
    ///   - isCancelled: returns whether the task was cancelled.
    package func reporter(
        for schema: StoreSchema, _ session: any SQLMigrationSession,
        isCancelled: @escaping @Sendable () -> Bool
    ) throws -> MigrationReporter {
        let progress = schema.control.progress
        let counts =
            progress == nil
            ? (rewritten: 0, read: [:]) : try SQLMigrationSize(self).records(session)
        return MigrationReporter(
            progress, total: counts.rewritten + counts.read.values.reduce(0, +),
            read: counts.read, isCancelled: isCancelled)
    }
}
