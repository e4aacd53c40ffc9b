internal import Foundation
internal import StoredSchema

/// Reads the documents of stored tables as plain values, for the first pass of a migration.
struct DocumentRecords: StoredRecordReader {
    private let driver: any DocumentDriver
    private let coder: RecordCoder
    /// Receives the documents that cannot be migrated; nil if they are an error.
    private let file: SetAsideFile?

    /// Prepares reading.
    init(_ driver: any DocumentDriver, _ coder: RecordCoder, _ file: SetAsideFile?) {
        self.driver = driver
        self.coder = coder
        self.file = file
    }

    func read(
        _ migration: TableMigration,
        _ body: (StoredRecord, _ setAside: @escaping (String) throws -> Void) throws -> Void
    ) throws {
        let layout = try StoredRowLayout(
            migration.stored, names: migration.names, missing: migration.missing)
        let table = migration.stored
        try driver.visitDocuments(of: table.name, where: table.isID) { key, data in
            let id = migration.namesIDs ? key : nil
            let place = Array(key.utf8)
            let record: StoredRecord
            do {
                record = .readable(
                    MigrationRecord(try coder.valuesWaiting(data, layout), id: id, at: place))
            } catch let error as RecordDecodingError {
                let field = error.path.isEmpty ? "" : " (\(error.path))"
                record = .unreadable(
                    place: place, id: id,
                    reason: "a record of '\(table.name)' cannot be read\(field)")
            }
            try body(record) { reason in
                let stored = try driver.documentToSetAside(key, in: table.name) ?? data
                try file?.add(
                    table: table.name, id: key, reason: reason,
                    document: SetAsideValue(document: stored))
            }
        }
    }

    func setAside(
        _ place: [UInt8], of migration: TableMigration, _ reason: String
    ) throws {
        let key = String(decoding: place, as: UTF8.self)
        guard let data = try driver.documentToSetAside(key, in: migration.stored.name)
        else { return }
        try file?.add(
            table: migration.stored.name, id: key, reason: reason,
            document: SetAsideValue(document: data))
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
