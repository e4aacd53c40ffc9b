internal import Foundation

/// Where a migration keeps the new documents until all of them have been checked.
///
/// A table is either amended, when its documents keep their keys and only those that change are
/// added, or replaced as a whole.
protocol MigrationOutput: AnyObject {
    /// Adds new documents of a table.
    ///
    /// - Returns: The positions of the documents whose keys the table has already.
    func add(_ documents: [NewDocument], to table: String) throws -> Set<Int>
    /// Removes a new document, if there is one.
    func remove(_ key: String, from table: String) throws
    /// Notes that documents of an amended table are dropped.
    func drop(_ keys: [String], from table: String) throws
    /// Returns whether documents of an amended table are dropped.
    func dropsDocuments(of table: String) -> Bool
    /// Returns the new document of a key, or nil if there is none.
    func document(_ key: String, of table: String) throws -> Data?
    /// Returns whether there is a new document of a key.
    func contains(_ key: String, in table: String) throws -> Bool
    /// Returns whether the document of a key is dropped.
    func isDropped(_ key: String, from table: String) throws -> Bool
    /// Passes the key of each new document to a body.
    func visitKeys(of table: String, _ body: (String) throws -> Void) throws
}

/// New documents in memory, for a store that changes all of them in one batch.
final class DocumentsInMemory: MigrationOutput {
    private var documents: [String: [TextKey: Data]] = [:]
    private var dropped: [String: Set<TextKey>] = [:]

    func add(_ documents: [NewDocument], to table: String) -> Set<Int> {
        var taken: Set<Int> = []
        for (position, document) in documents.enumerated() {
            let key = TextKey(document.key)
            if self.documents[table]?[key] != nil {
                taken.insert(position)
            } else {
                self.documents[table, default: [:]][key] = document.data
            }
        }
        return taken
    }

    func remove(_ key: String, from table: String) { documents[table]?[TextKey(key)] = nil }

    func drop(_ keys: [String], from table: String) {
        dropped[table, default: []].formUnion(keys.map(TextKey.init))
    }

    func dropsDocuments(of table: String) -> Bool { dropped[table] != nil }

    func document(_ key: String, of table: String) -> Data? { documents[table]?[TextKey(key)] }

    func contains(_ key: String, in table: String) -> Bool {
        documents[table]?[TextKey(key)] != nil
    }

    func isDropped(_ key: String, from table: String) -> Bool {
        dropped[table]?.contains(TextKey(key)) ?? false
    }

    func visitKeys(of table: String, _ body: (String) throws -> Void) rethrows {
        for key in (documents[table] ?? [:]).keys { try body(key.text) }
    }

    /// Returns the changes of the documents, for one atomic batch.
    ///
    /// - Parameters:
    ///   - emptied: the collections of which every document is removed or replaced.
    ///   - stored: the stored names of other tables, which are renamed after the batch.
    ///   - driver: the stored documents.
    func changes(
        emptying emptied: Set<String>, renamed stored: [String: String],
        in driver: any DocumentDriver
    ) throws -> [DocumentChange] {
        var changes: [DocumentChange] = []
        for collection in emptied.sorted() {
            let new = documents[collection] ?? [:]
            for key in try driver.keys(in: collection) where new[TextKey(key)] == nil {
                changes.append(DocumentChange(key, in: collection, data: nil))
            }
        }
        for (table, keys) in dropped {
            let collection = stored[table] ?? table
            changes += keys.map { DocumentChange($0.text, in: collection, data: nil) }
        }
        for (table, new) in documents {
            let collection = stored[table] ?? table
            changes += new.map { DocumentChange($0.text, in: collection, data: $1) }
        }
        return changes
    }
}

/// New documents in collections beside the stored ones; see ``BesideDriver``.
final class DocumentsBeside: MigrationOutput {
    private let driver: any BesideDriver
    /// The collections beside that have documents.
    private var collections: Set<String> = []
    /// The tables for which documents lie beside the stored ones.
    private(set) var tables: Set<String> = []

    init(_ driver: any BesideDriver) { self.driver = driver }

    func add(_ documents: [NewDocument], to table: String) throws -> Set<Int> {
        let collection = BesideNames.new(table)
        collections.insert(collection)
        tables.insert(table)
        return try driver.create(documents, in: collection, for: table)
    }

    func remove(_ key: String, from table: String) throws {
        let collection = BesideNames.new(table)
        if collections.contains(collection) { try driver.remove(key, fromBeside: collection) }
    }

    func drop(_ keys: [String], from table: String) throws {
        let collection = BesideNames.gone(table)
        collections.insert(collection)
        tables.insert(table)
        _ = try driver.create(
            keys.map { NewDocument(key: $0, data: Data()) }, in: collection, for: table)
    }

    func dropsDocuments(of table: String) -> Bool {
        collections.contains(BesideNames.gone(table))
    }

    func document(_ key: String, of table: String) throws -> Data? {
        try driver.get(key, in: BesideNames.new(table))
    }

    func contains(_ key: String, in table: String) throws -> Bool {
        try driver.contains(key, in: BesideNames.new(table))
    }

    func isDropped(_ key: String, from table: String) throws -> Bool {
        try dropsDocuments(of: table) && driver.contains(key, in: BesideNames.gone(table))
    }

    func visitKeys(of table: String, _ body: (String) throws -> Void) throws {
        try driver.visitKeys(in: BesideNames.new(table), body)
    }

    /// Makes everything durable that was added.
    func synchronize() throws { try driver.synchronizeBeside(collections.sorted()) }
}
