internal import Foundation
internal import StoredSchema

/// Reads the documents of stored tables as plain values, for the first pass of a migration.
struct DocumentRecords: StoredRecordReader {
    private let driver: any DocumentDriver
    private let coder: RecordCoder

    /// Prepares reading.
    init(_ driver: any DocumentDriver, _ coder: RecordCoder) {
        self.driver = driver
        self.coder = coder
    }

    func read(
        _ migration: TableMigration, _ failures: inout MigrationFailures,
        _ body: (MigrationRecord, inout MigrationFailures) throws -> Void
    ) throws {
        let layout = try StoredRowLayout(
            migration.stored, names: migration.names, missing: migration.missing)
        let table = migration.stored
        try driver.visitDocuments(of: table.name, where: table.isID) { key, data in
            let id = migration.namesIDs ? key : nil
            let values: [StoredValue]
            do {
                values = try coder.valuesWaiting(data, layout)
            } catch let error as RecordDecodingError {
                let field = error.path.isEmpty ? "" : " (\(error.path))"
                failures.add("a record of '\(table.name)' cannot be read\(field)", id: id)
                return
            }
            try body(MigrationRecord(values, id: id), &failures)
        }
    }
}

extension DocumentDriver {
    /// Passes the documents of a collection to a body. They are read in groups, each in the order
    /// of its keys.
    func visitDocuments(
        of collection: String, where isIncluded: (String) -> Bool = { _ in true },
        _ body: (String, Data) throws -> Void
    ) throws {
        func visit(_ keys: [String]) throws {
            let sorted = keys.sorted(by: String.identifierPrecedes)
            for (key, data) in zip(sorted, try documents(sorted, in: collection)) {
                if let data { try body(key, data) }
            }
        }
        var keys: [String] = []
        try visitKeys(in: collection) { key in
            guard isIncluded(key) else { return }
            keys.append(key)
            guard keys.count == 64 else { return }
            try visit(keys)
            keys.removeAll(keepingCapacity: true)
        }
        if !keys.isEmpty { try visit(keys) }
    }
}

extension StoredTable {
    /// Returns whether a key of a document is an id of the stored table. Any other document is not
    /// a record.
    func isID(_ key: String) -> Bool {
        guard self.key.count == 1 else { return key.contains(",") }
        guard let type = field(self.key[0])?.type else { return true }
        guard case .single(let name) = type, let base = StoredBaseType(rawValue: name) else {
            return Int64(key).map { String($0) == key } ?? true
        }
        return switch base.kind {
        case .text: base.accepts(key)
        case .uuid: UUID(uuidString: key)?.uuidString == key
        case .integer: Int64(key).map { String($0) == key } ?? true
        case .bool, .double, .decimal, .date, .data: true
        }
    }
}
