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
