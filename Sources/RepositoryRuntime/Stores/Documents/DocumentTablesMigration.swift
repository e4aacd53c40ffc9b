internal import Foundation
internal import StoredSchema

/// The documents of a store during the functions that migrate several tables together.
///
/// The stored documents stay as they are. New documents are passed on as they are written.
final class DocumentTablesMigration: TablesMigrationRun.Storage {
    /// Takes a new document: the table, the key and the document. Returns whether it is the first one
    /// with its key.
    typealias Output = (_ table: String, _ key: String, _ data: Data) throws -> Bool

    let name: String
    private let driver: any DocumentDriver
    private let coder: RecordCoder
    private let output: Output

    /// Creates the storage of a migration.
    init(_ driver: any DocumentDriver, _ coder: RecordCoder, output: @escaping Output) {
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
            driver: driver, coder: coder)
    }

    func stage(_ table: StoredTable) -> any MigrationStage { MigrationMemory(table) }

    func writer<E: Entity>(_ type: E.Type) throws -> (E) throws -> Void {
        let table = E.Mapper.table.name
        return { [coder, output] entity in
            let data = try coder.encodeWaiting(entity)
            guard try output(table, entity.id.description, data) else {
                throw RecordMigrationFailure("records of '\(table)' get the same id")
            }
        }
    }
}

/// The stored documents of a table. They are found by their id; other values need a reading of all
/// documents.
private struct DocumentMigrationSource: MigrationSource {
    let table: StoredTable
    let layout: StoredRowLayout
    let driver: any DocumentDriver
    let coder: RecordCoder

    func scan() throws -> () throws -> (place: [StoredValue], values: [StoredValue])? {
        var keys = try driver.keys(in: table.name).sorted(by: String.identifierPrecedes)[...]
        return {
            while let key = keys.popFirst() {
                guard table.isID(key), let values = try values(key) else { continue }
                return ([.text(key)], values)
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
    ) throws -> (() throws -> [StoredValue]?)? {
        guard fields.map({ table.fields[$0].name }) == table.key, let key = Self.key(values) else {
            return nil
        }
        var found = try self.values(key)
        return {
            defer { found = nil }
            return found
        }
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

    private func values(_ key: String) throws -> [StoredValue]? {
        guard let data = try driver.get(key, in: table.name) else { return nil }
        do {
            return try coder.valuesWaiting(data, layout)
        } catch let error as RecordDecodingError {
            throw MigrationFailure(
                table: table.name, field: error.path.isEmpty ? nil : error.path,
                "cannot be read in a stored record")
        }
    }
}
