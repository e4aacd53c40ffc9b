internal import Foundation
public import RepositoryRuntime

/// Keeps items as rows of one table of a SQLite database: `id TEXT PRIMARY KEY NOT NULL, data BLOB
/// NOT NULL`, the data exactly the transformer's bytes.
///
/// What returned is on the disk. Several repositories, in several processes, may share a file.
/// Copies of the struct are one repository, whose connections are closed with the last of them.
public struct SQLiteRepository: CRUDRepository {
    private let table: SQLiteItemTable
    private let transformer: any DataTransformer

    /// Makes a repository over a table, which is made by the first operation when it is not there.
    ///
    /// SQLite ignores the case of ASCII letters in the names of tables: of two names that differ in
    /// nothing else the second in one file is refused with `schemaMismatch`, as is a name that
    /// starts with `sqlite_` with `databaseError`.
    ///
    /// - Parameters:
    ///   - tableName: the table's name, any text without U+0000.
    ///   - path: the database file; `<tableName>.sqlite` in the user's documents folder when nil, with `/`, `\`, `:`,
    ///     `%` and control characters written `%XX`.
    ///   - dataTransformer: the format of the data.
    public init(
        tableName: String, path: String? = nil, dataTransformer: any DataTransformer
    ) {
        let file = path ?? Self.defaultFile(of: tableName).path
        table = SQLiteItemTable(
            tableName, .file(file, busyTimeout: .seconds(10), makesFolder: path == nil))
        transformer = dataTransformer
    }

    /// Stores a new item; throws `recordAlreadyExists` when the id is taken.
    public func create<T: Item>(id: ItemIdentifier, item: T) async throws {
        try ItemIdentifierRules.check(id)
        let data = try await TransformerErrors.bytes(of: item, with: transformer)
        guard try await table.write(.insert, id, data) else {
            throw CRUDRepositoryError.recordAlreadyExists(id: id)
        }
    }

    /// Reads an item; throws `recordNotFound`, `itemTypeMismatch`, `invalidRecord`.
    public func read<T: Item>(id: ItemIdentifier) async throws -> T {
        try ItemIdentifierRules.check(id)
        guard let data = try await table.read(id) else {
            throw CRUDRepositoryError.recordNotFound(id: id)
        }
        return try await StoredItem.decode(data, id: id, with: transformer)
    }

    /// Replaces an item; throws `recordNotFound` when there is none.
    public func update<T: Item>(id: ItemIdentifier, item: T) async throws {
        try ItemIdentifierRules.check(id)
        let data = try await TransformerErrors.bytes(of: item, with: transformer)
        guard try await table.write(.update, id, data) else {
            throw CRUDRepositoryError.recordNotFound(id: id)
        }
    }

    /// Deletes an item; throws `recordNotFound` when there is none.
    public func delete(id: ItemIdentifier) async throws {
        try ItemIdentifierRules.check(id)
        guard try await table.write(.delete, id, nil) else {
            throw CRUDRepositoryError.recordNotFound(id: id)
        }
    }

    /// The file of a table in the user's documents folder.
    static func defaultFile(of tableName: String) -> URL {
        var name = PercentEncoding.encode(tableName) { byte in
            byte >= 0x20 && byte != 0x7F && !"/\\:%".utf8.contains(byte)
        }
        // A leading point would hide the file, or name a folder.
        if name.hasPrefix(".") { name = "%2E" + name.dropFirst() }
        if name.utf8.count > 200 {
            // File systems take 255 bytes: the name's start for people, its hash for difference.
            let start = String(decoding: name.utf8.prefix(100), as: UTF8.self)
            name = "\(start.replacing("\u{FFFD}", with: ""))-\(SHA256.hexadecimal(tableName.utf8))"
        }
        return DocumentsFolder.url.appendingPathComponent(name + ".sqlite")
    }
}
