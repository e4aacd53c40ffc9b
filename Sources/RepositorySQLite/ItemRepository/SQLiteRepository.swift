internal import Foundation
public import RepositoryRuntime
internal import StoredSchema

/// A repository of items in one table of an SQLite database.
///
/// The table has the columns `id TEXT PRIMARY KEY NOT NULL` and `data BLOB NOT NULL`. The data is
/// exactly the output of the transformer.
///
/// When a write returns, it is synced to disk. Several repositories in several processes may share
/// a file. Copies of the struct share their connections, which are closed by ``close()`` or with the
/// last copy.
public struct SQLiteRepository: CRUDRepository {
    private let table: SQLiteItemTable
    private let transformer: any DataTransformer
    private let tableName: String

    /// Creates a repository for a table. The first operation creates the table if it does not
    /// exist.
    ///
    /// SQLite ignores the case of ASCII letters in table names. If a file has a table whose name
    /// differs only in case, operations throw `schemaMismatch`. For a name that begins with
    /// `sqlite_`, they throw `databaseError`.
    ///
    /// - Parameters:
    ///   - tableName: the name of the table: any text without U+0000.
    ///   - path: the path of the database file. The default is `<tableName>.sqlite` in the user's
    ///     documents folder, with `/`, `\`, `:`, `%` and control characters percent-encoded
    ///     (`%XX`).
    ///   - dataTransformer: the format of the data.
    public init(
        tableName: String, path: String? = nil, dataTransformer: any DataTransformer
    ) {
        let file = path ?? Self.defaultFile(of: tableName).path
        table = SQLiteItemTable(
            tableName, .file(file, busyTimeout: .seconds(10), makesFolder: path == nil))
        transformer = dataTransformer
        self.tableName = tableName
    }

    /// Stores a new item.
    ///
    /// - Throws: `recordAlreadyExists` if the id exists.
    public func create<T: Item>(id: ItemIdentifier, item: T) async throws {
        try ItemIdentifierRules.check(id)
        let data = try await TransformerErrors.bytes(of: item, at: place(id), with: transformer)
        guard try await table.write(.insert, id, data) else {
            throw CRUDRepositoryError.recordAlreadyExists(id: id)
        }
    }

    /// Reads an item.
    ///
    /// - Throws: `recordNotFound`, `itemTypeMismatch`, `invalidRecord`.
    public func read<T: Item>(id: ItemIdentifier) async throws -> T {
        try ItemIdentifierRules.check(id)
        guard let data = try await table.read(id) else {
            throw CRUDRepositoryError.recordNotFound(id: id)
        }
        return try await StoredItem.decode(data, at: place(id), with: transformer)
    }

    /// Replaces an item.
    ///
    /// - Throws: `recordNotFound` if the id does not exist.
    public func update<T: Item>(id: ItemIdentifier, item: T) async throws {
        try ItemIdentifierRules.check(id)
        let data = try await TransformerErrors.bytes(of: item, at: place(id), with: transformer)
        guard try await table.write(.update, id, data) else {
            throw CRUDRepositoryError.recordNotFound(id: id)
        }
    }

    /// Deletes an item.
    ///
    /// - Throws: `recordNotFound` if the id does not exist.
    public func delete(id: ItemIdentifier) async throws {
        try ItemIdentifierRules.check(id)
        guard try await table.write(.delete, id, nil) else {
            throw CRUDRepositoryError.recordNotFound(id: id)
        }
    }

    /// The place of an item, for a transformer that wraps its bytes.
    private func place(_ id: ItemIdentifier) -> DocumentPlace {
        DocumentPlace(collection: tableName, key: id)
    }

    /// Closes the connections of the repository and its copies, after the calls that have begun.
    /// Later calls throw `storeClosed`. A second call has no effect.
    public func close() async { await table.close() }

    /// Returns the default file of a table, in the user's documents folder.
    static func defaultFile(of tableName: String) -> URL {
        var name = PercentEncoding.encode(tableName) { byte in
            byte >= 0x20 && byte != 0x7F && !"/\\:%".utf8.contains(byte)
        }
        // A leading dot would hide the file, or name a folder.
        if name.hasPrefix(".") { name = "%2E" + name.dropFirst() }
        if name.utf8.count > 200 {
            // File systems limit names to 255 bytes: the start of the name is for people, and the
            // hash makes it unique.
            let start = String(decoding: name.utf8.prefix(100), as: UTF8.self)
            name = "\(start.replacing("\u{FFFD}", with: ""))-\(SHA256.hexadecimal(tableName.utf8))"
        }
        return DocumentsFolder.url.appendingPathComponent(name + ".sqlite")
    }
}

extension SQLiteRepository: ItemListing {
    package func itemIDs() async throws -> [String] { try await table.ids() }
}
