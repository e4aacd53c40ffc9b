internal import Foundation
internal import StoredSchema

/// The documents of a store during the functions that migrate several tables together.
///
/// The stored documents stay as they are. New documents are passed on in groups.
final class DocumentTablesMigration: TablesMigrationRun.Storage {
    let name: String
    private let driver: any DocumentDriver
    private let coder: RecordCoder
    private let output: any MigrationOutput
    let space: any MigrationSpace
    /// Receives the stored documents that cannot be read; nil if they are an error.
    private let setAside: SetAsideFile?
    /// The new documents that have not been passed on, by table.
    private var buffers: [String: NewDocumentBuffer] = [:]
    /// The ids of new documents whose ids others have, by table.
    private var taken: [String: [String]] = [:]
    /// The tables whose ids are not named.
    private var sensitive: Set<String> = []

    /// Creates the storage of a migration.
    ///
    /// - Parameters:
    ///   - driver: the stored documents.
    ///   - coder: decodes and encodes them.
    ///   - output: receives the new documents.
    ///   - space: gets the places of records by their values, and the records between functions.
    ///   - setAside: receives the stored documents that cannot be read; nil if they are an error.
    init(
        _ driver: any DocumentDriver, _ coder: RecordCoder, _ output: any MigrationOutput,
        _ space: any MigrationSpace, _ setAside: SetAsideFile?
    ) {
        self.space = space
        self.setAside = setAside
        name = driver.name
        self.driver = driver
        self.coder = coder
        self.output = output
    }

    func source(
        _ table: StoredTable, names: [[String]], missing: [Int: StoredValue]
    ) throws -> any MigrationSource {
        DocumentMigrationSource(
            table: table, layout: try StoredRowLayout(table, names: names, missing: missing),
            driver: driver, coder: coder, space: space,
            setAside: try setAside.map { try DocumentSetAside($0, driver, space.makeTable()) })
    }

    func stage(_ table: StoredTable) throws -> any MigrationStage {
        try SpaceMigrationStage(table, in: space)
    }

    func writer<E: Entity>(_ type: E.Type) -> (E) throws -> Void {
        let table = E.Mapper.table
        buffers[table.name] = NewDocumentBuffer(output, table.name)
        if table.key.contains(where: { table.layout.fields[$0].isSensitive }) {
            sensitive.insert(table.name)
        }
        return { [self] entity in
            let id = entity.id.description
            let document = NewDocument(key: id, data: try coder.encodeWaiting(entity))
            let found = try buffers[table.name]?.add(document, of: id) ?? []
            if !found.isEmpty { taken[table.name, default: []] += found }
        }
    }

    func finish(_ failures: inout MigrationFailures) throws {
        for table in buffers.keys.sorted() {
            let found = try buffers[table]?.flush() ?? []
            for id in taken[table, default: []] + found {
                failures.add(
                    "records of '\(table)' get the same id",
                    id: sensitive.contains(table) ? nil : id)
            }
        }
        (buffers, taken) = ([:], [:])
    }
}

/// The stored documents that functions over several tables cannot read.
private final class DocumentSetAside {
    private let file: SetAsideFile
    private let driver: any DocumentDriver
    /// The keys of the documents that are set aside.
    private let keys: any MigrationSpaceTable
    private var isEmpty = true

    init(_ file: SetAsideFile, _ driver: any DocumentDriver, _ keys: any MigrationSpaceTable) {
        self.file = file
        self.driver = driver
        self.keys = keys
    }

    func contains(_ key: String) throws -> Bool {
        try !isEmpty && keys.last(under: Array(key.utf8)) != nil
    }

    /// Adds a document to the file.
    func add(_ key: String, of table: String, _ reason: String) throws {
        guard try !contains(key), let data = try driver.documentToSetAside(key, in: table)
        else { return }
        try keys.add([1], under: Array(key.utf8))
        isEmpty = false
        let text = String(data: data, encoding: .utf8)
        try file.add(
            table: table, id: key, reason: reason,
            document: text.map(SetAsideValue.text) ?? .data(data))
    }
}

/// The stored documents of a table. They are found by their id; other values need a reading of all
/// documents.
private struct DocumentMigrationSource: MigrationSource {
    let table: StoredTable
    let layout: StoredRowLayout
    let driver: any DocumentDriver
    let coder: RecordCoder
    let space: any MigrationSpace
    let setAside: DocumentSetAside?

    func scan() throws -> () throws -> MigrationSourceRecord? {
        let keys = try space.makeList()
        try driver.visitKeys(in: table.name) { key in
            if table.isID(key) { try keys.append(Array(key.utf8)) }
        }
        let next = try keys.values()
        return {
            while let bytes = try next() {
                let key = String(decoding: bytes, as: UTF8.self)
                if let values = try values(key) { return ([.text(key)], values) }
            }
            return nil
        }
    }

    func values(at place: [StoredValue]) throws -> [StoredValue]? {
        guard case .text(let key)? = place.first else { return nil }
        return try values(key)
    }

    func find(
        _ fields: [Int], _ values: [StoredValue]
    ) throws -> (() throws -> MigrationSourceRecord?)? {
        guard fields.map({ table.fields[$0].name }) == table.key, let key = Self.key(values) else {
            return nil
        }
        var found = try self.values(key)
        return {
            defer { found = nil }
            return found.map { ([.text(key)], $0) }
        }
    }

    func setAside(_ place: [StoredValue], _ reason: String) throws -> Bool {
        guard let setAside, case .text(let key)? = place.first else { return false }
        try setAside.add(key, of: table.name, reason)
        return true
    }

    /// Returns the key of the document with an id; nil for an id that is a reference to a composite
    /// one.
    private static func key(_ components: [StoredValue]) -> String? {
        let texts = components.compactMap { component -> String? in
            switch component {
            case .text, .integer, .uuid: component.identifierText
            default: nil
            }
        }
        guard texts.count == components.count else { return nil }
        return texts.count == 1
            ? texts[0] : texts.map(CompositeIDText.escape).joined(separator: ",")
    }

    /// Returns the values of a document; nil if there is none, and if it is set aside.
    private func values(_ key: String) throws -> [StoredValue]? {
        if try setAside?.contains(key) == true { return nil }
        guard let data = try driver.get(key, in: table.name) else { return nil }
        do {
            return try coder.valuesWaiting(data, layout)
        } catch let error as RecordDecodingError {
            guard let setAside else {
                throw MigrationRecordFailure(unreadable: table.name, error.path, id: key)
            }
            try setAside.add(
                key, of: table.name, MigrationRecordFailure.unreadable(table.name, error.path))
            return nil
        }
    }
}
