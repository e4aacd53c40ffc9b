internal import Foundation
internal import StoredSchema

/// The conversion of the documents of one table, one after another.
struct DocumentConversion<E: Entity> {
    private let table = E.Mapper.table
    private let stored: StoredTable
    private let coder: RecordCoder
    private let driver: any DocumentDriver
    private let output: any MigrationOutput
    /// Whether documents that do not change stay where they are.
    private let isAmended: Bool
    private let layout: StoredRowLayout
    private let records: RecordMigration<E>
    private let isSensitive: Bool
    /// The new ids of records; nil if no ids change.
    private let ids: IDMigration?
    private let migration: TableMigration
    /// Receives the documents that cannot be converted; nil if they are an error.
    private let setAside: SetAsideFile?
    private var buffer: NewDocumentBuffer
    private var failures = MigrationFailures()

    init(
        _ migration: TableMigration, _ coder: RecordCoder, _ driver: any DocumentDriver,
        _ output: any MigrationOutput, isAmended: Bool, _ ids: IDMigration?,
        _ setAside: SetAsideFile?
    ) throws {
        self.setAside = setAside
        self.ids = ids
        self.migration = migration
        stored = migration.stored
        self.coder = coder
        self.driver = driver
        self.output = output
        self.isAmended = isAmended
        layout = try StoredRowLayout(
            migration.stored, names: migration.names, missing: migration.missing)
        records = RecordMigration<E>(migration)
        isSensitive = table.key.contains { E.Mapper.table.layout.fields[$0].isSensitive }
        buffer = NewDocumentBuffer(output, table.name)
    }

    /// Converts one document. What prevents it is reported by ``finish()``.
    ///
    /// A document that was set aside when the new ids were computed is left out. The table is then
    /// replaced as a whole.
    mutating func convert(_ key: String, _ data: Data) throws {
        if try ids?.refusals.contains(Array(key.utf8), of: migration) == true { return }
        let values: [StoredValue]
        do {
            values = try coder.valuesWaiting(data, layout)
        } catch let error as RecordDecodingError {
            let field = error.path.isEmpty ? "" : " (\(error.path))"
            return try report("a record of '\(table.name)' cannot be read\(field)", key)
        }
        try convert(MigrationRecord(values, id: isSensitive ? nil : key), key, data)
    }

    /// Converts a record that functions have converted already up to a version. Its table is
    /// replaced as a whole.
    mutating func convert(_ record: MigrationRecord) throws {
        try convert(record, String(decoding: record.place, as: UTF8.self), nil)
    }

    private mutating func convert(_ record: MigrationRecord, _ key: String, _ data: Data?) throws {
        do {
            guard let entity = try records.entity(record, ids?.ids) else {
                if isAmended { try output.drop([key], from: table.name) }
                return
            }
            let new = NewDocument(
                key: entity.id.description, data: try coder.encodeWaiting(entity))
            let isSameKey = String.isSameIdentifier(new.key, key)
            if isAmended, isSameKey, new.data == data { return }
            if isAmended, !isSameKey {
                if try driver.contains(new.key, in: table.name) { return try reportTaken(key) }
                try output.drop([key], from: table.name)
            }
            for taken in try buffer.add(new, of: key) { try reportTaken(taken) }
        } catch let failure as RecordMigrationFailure {
            try report(failure.reason, key)
        } catch let error as CRUDRepositoryError where error.code == .invalidItem {
            try report("a record of '\(table.name)' is refused: \(error.message)", key)
        } catch let error as CRUDRepositoryError
            where error.code == .schemaMismatch && setAside != nil
        {
            try report(error.message, key)
        }
    }

    /// Passes the last documents to the output.
    ///
    /// - Throws: `schemaMismatch` if documents could not be converted.
    mutating func finish() throws {
        for taken in try buffer.flush() { try reportTaken(taken) }
        try failures.check(store: driver.name)
    }

    /// Sets the document aside, or adds it to the failures.
    private mutating func report(_ reason: String, _ key: String) throws {
        guard let setAside else {
            return failures.add(reason, id: isSensitive ? nil : key)
        }
        guard let data = try driver.documentToSetAside(key, in: stored.name) else { return }
        try setAside.add(
            table: stored.name, id: key, reason: reason, document: SetAsideValue(document: data))
        if isAmended { try output.drop([key], from: table.name) }
    }

    private mutating func reportTaken(_ key: String) throws {
        try report("records of '\(table.name)' get the same id", key)
    }
}

/// New documents of a table that are passed to the output together, so that it can write several at
/// once.
struct NewDocumentBuffer {
    /// The maximum number of documents.
    static let limit = 512
    /// The number of bytes from which on the documents are passed on.
    private static let size = 4 << 20
    private let output: any MigrationOutput
    private let table: String
    private var documents: [NewDocument] = []
    /// The stored keys of the documents.
    private var keys: [String] = []
    private var bytes = 0

    init(_ output: any MigrationOutput, _ table: String) {
        self.output = output
        self.table = table
    }

    /// Adds a document.
    ///
    /// - Parameter key: the key of the stored document.
    /// - Returns: The stored keys of the documents whose new keys others have already.
    mutating func add(_ document: NewDocument, of key: String) throws -> [String] {
        documents.append(document)
        keys.append(key)
        bytes += document.data.count
        return documents.count < Self.limit && bytes < Self.size ? [] : try flush()
    }

    /// Passes on the documents.
    ///
    /// - Returns: The stored keys of the documents whose new keys others have already.
    mutating func flush() throws -> [String] {
        if documents.isEmpty { return [] }
        let taken = try output.add(documents, to: table)
        let names = taken.sorted().map { keys[$0] }
        documents.removeAll(keepingCapacity: true)
        keys.removeAll(keepingCapacity: true)
        bytes = 0
        return names
    }
}
