internal import Foundation
internal import RepositoryRuntime
internal import RepositorySQLCore
internal import StoredSchema

/// The table that contains the description of the schemas of a database. It has one row.
enum SchemaTable {
    /// The name of the table. No table of a schema may have it.
    static let name = "repository_schema"
    static let quoted = "\"repository_schema\""

    /// Creates the table and its row, if they are not there.
    static func create(_ session: Session) throws {
        let dialect = session.dialect
        let (text, integer) = (dialect.syntax.textType, dialect.syntax.integerType)
        if try session.tables()[name] == nil {
            try session.execute(
                "CREATE TABLE \(quoted) (\"name\" \(text) NOT NULL PRIMARY KEY, \"revision\" \(integer) NOT NULL, \"description\" \(text) NOT NULL)"
            )
        }
        let place = dialect.placeholder(1)
        let found = try session.query(
            "SELECT \"revision\" FROM \(quoted) WHERE \"name\" = \(place)", [.text(row)])
        guard found.isEmpty else { return }
        try session.execute(
            "INSERT INTO \(quoted) (\"name\", \"revision\", \"description\") VALUES (\(place), 0, '')",
            [.text(row)])
    }

    /// The name of the row. Some databases have no empty texts.
    private static let row = "schemas"

    /// Waits, at the beginning of a transaction that writes records, for another one that changes
    /// tables.
    static func waitForMigration(_ session: Session) throws {
        guard let lock = session.dialect.syntax.tableLock else { return }
        try session.execute(lock(quoted, false))
    }

    /// Locks the table and its row until the end of the transaction, so that one program at a time
    /// changes tables, and none writes meanwhile.
    static func lock(_ session: Session) throws {
        if let lock = session.dialect.syntax.tableLock { try session.execute(lock(quoted, true)) }
        try session.execute(
            "UPDATE \(quoted) SET \"revision\" = \"revision\" WHERE \"name\" = \(session.dialect.placeholder(1))",
            [.text(row)])
    }

    /// Returns the revision of the description; nil if there is none.
    static func revision(_ session: Session) throws -> Int64? {
        try session.integer(
            "SELECT \"revision\" FROM \(quoted) WHERE \"name\" = \(session.dialect.placeholder(1))",
            [.text(row)])
    }

    /// Returns the description; nil if there is none.
    static func description(_ session: Session, _ store: String) throws -> StoreDescription? {
        guard try session.tables()[name] != nil else { return nil }
        let found = try session.query(
            "SELECT \"description\" FROM \(quoted) WHERE \"name\" = \(session.dialect.placeholder(1))",
            [.text(row)])
        guard case .text(let json)? = found.first?.first, !json.isEmpty else { return nil }
        return try StoreDescription(json: Data(json.utf8), store: store)
    }

    /// Writes the description with the next revision number.
    static func write(_ description: StoreDescription, _ session: Session) throws {
        let dialect = session.dialect
        try session.execute(
            "UPDATE \(quoted) SET \"revision\" = \"revision\" + 1, \"description\" = \(dialect.placeholder(1)) WHERE \"name\" = \(dialect.placeholder(2))",
            [.text(try description.nextJSON()), .text(row)])
    }
}
