internal import Foundation
internal import StoredSchema

/// Reads the documents of stored tables as plain values, for a migration.
final class DocumentRecords: MigrationReader {
    /// The document that ``read(_:_:_:)`` read last.
    private(set) var last: (key: TextKey, data: Data)?
    private let driver: any DocumentDriver
    private let coder: RecordCoder

    /// Prepares reading.
    init(_ driver: any DocumentDriver, _ coder: RecordCoder) {
        self.driver = driver
        self.coder = coder
    }

    /// Calls a closure with each record of a table, in the order of the ids.
    func read(
        _ migration: TableMigration, _ failures: inout MigrationFailures,
        _ body: (MigrationRecord, inout MigrationFailures) throws -> Void
    ) throws {
        let layout = try StoredRowLayout(
            migration.stored, names: migration.names, missing: migration.missing)
        let table = migration.stored.name
        for key in try driver.keys(in: table).sorted(by: String.identifierPrecedes) {
            guard migration.stored.isID(key), let data = try driver.get(key, in: table) else {
                continue
            }
            last = (TextKey(key), data)
            let values: [StoredValue]
            do {
                values = try coder.valuesWaiting(data, layout)
            } catch let error as RecordDecodingError {
                let field = error.path.isEmpty ? "" : " (\(error.path))"
                failures.add(
                    "a record of '\(table)' cannot be read\(field)",
                    id: migration.namesIDs ? key : nil)
                continue
            }
            try body(MigrationRecord(values, id: migration.namesIDs ? key : nil), &failures)
        }
    }
}

extension StoredTable {
    /// Returns whether a key of a document is an id of the stored table. Any other document is not a
    /// record.
    fileprivate func isID(_ key: String) -> Bool {
        guard self.key.count == 1 else { return key.contains(",") }
        switch field(self.key[0])?.type {
        case .single("text")?, nil: return true
        case .single("uuid")?: return UUID(uuidString: key)?.uuidString == key
        case .single("bool")?: return true
        default: return Int64(key).map { String($0) == key } ?? true
        }
    }
}
