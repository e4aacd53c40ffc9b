package import Foundation
package import RepositoryRuntime
internal import StoredSchema

/// What a SQL store notes of its encrypted fields, in a table of its own: the keys with which it was
/// written, and the earlier names of fields.
///
/// A missing or wrong key is then an error when the store is opened, and not many damaged records.
package struct EncryptionNotes: Sendable {
    /// The name of the table. No table of a schema may have it.
    package static let table = "repository_encryption"
    /// The place for which the earlier names are encrypted. No table has an empty name.
    private static let namesPlace = FieldPlace(table: "", field: "names", id: "")
    /// The place for which the numbers of columns are encrypted.
    private static let columnsPlace = FieldPlace(table: "", field: "columns", id: "")

    /// The checks of the keys, by id.
    package var keys: [String: Data] = [:]
    /// The encrypted names; nil if there are none.
    package var names: Data?

    /// The id and the check of the key of indexes; nil if no encrypted field has an index.
    package var indexKey: (id: String, check: Data)?
    /// The encrypted numbers of the columns with an index; nil if there are none.
    package var columns: Data?

    /// Creates empty notes.
    package init() {}

    /// Checks that all keys are there.
    ///
    /// - Throws: `keyNotFound`.
    package func check(_ cipher: any FieldCipher) throws {
        for (key, check) in keys.sorted(by: { $0.key < $1.key })
        where try cipher.check(ofKey: key) != check {
            throw CRUDRepositoryError.keyNotFound(key)
        }
        guard let indexKey else { return }
        guard cipher.indexKeyID == indexKey.id, try cipher.checkOfIndexKey() == indexKey.check
        else {
            throw CRUDRepositoryError.indexKeyNotFound(indexKey.id)
        }
    }

    /// Adds a row of the table in which the notes are stored. Rows of other kinds are ignored.
    package mutating func add(kind: String, name: String, _ value: Data) {
        switch kind {
        case "key": keys[name] = value
        case "names": names = value
        case "index key": indexKey = (name, value)
        case "columns": columns = value
        default: break
        }
    }

    /// Returns the noted numbers of columns.
    ///
    /// - Throws: `keyNotFound`; `databaseError` if they were changed.
    package func columns(_ cipher: any FieldCipher) throws -> [NumberedColumn] {
        guard let columns else { return [] }
        do {
            return try JSONDecoder().decode(
                [NumberedColumn].self, from: cipher.open(columns, at: Self.columnsPlace))
        } catch let error as CRUDRepositoryError {
            throw error
        } catch {
            throw CRUDRepositoryError(
                .databaseError, "The note of the indexed encrypted fields was changed.",
                underlyingError: error)
        }
    }

    /// Encrypts numbers of columns.
    package static func sealed(
        _ columns: [NumberedColumn], _ cipher: any FieldCipher
    ) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return try cipher.seal(encoder.encode(columns), at: columnsPlace)
    }

    /// Returns the noted names: those of a field together, the present ones first.
    ///
    /// - Throws: `keyNotFound`; `databaseError` if they were changed.
    package func names(_ cipher: any FieldCipher) throws -> [[RecordCipher.Names]] {
        guard let names else { return [] }
        do {
            return try JSONDecoder().decode(
                [[RecordCipher.Names]].self, from: cipher.open(names, at: Self.namesPlace))
        } catch let error as CRUDRepositoryError {
            throw error
        } catch {
            throw CRUDRepositoryError(
                .databaseError, "The note of the renamed encrypted fields was changed.",
                underlyingError: error)
        }
    }

    /// Encrypts names.
    package static func sealed(
        _ names: [[RecordCipher.Names]], _ cipher: any FieldCipher
    ) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return try cipher.seal(encoder.encode(names), at: namesPlace)
    }
}

/// What is noted of encrypted fields, as it is after an upgrade. Notes of other sets stay.
extension SchemaOpening {
    /// Returns the names that fields have and had. A field that is renamed gets a new first name.
    func moved(_ noted: [[RecordCipher.Names]]) -> [[RecordCipher.Names]] {
        if isDone { return noted }
        let kept = keptFields.filter {
            $0.stored.field.isEncrypted && $0.declared.field.isEncrypted
        }
        let own = kept.map { field in
            let old = RecordCipher.Names(
                table: field.stored.table, field: field.stored.field.name)
            let new = RecordCipher.Names(
                table: field.declared.table, field: field.declared.field.name)
            let names = noted.first { $0.first == old } ?? [old]
            return [new] + names.filter { $0 != new }
        }
        return own.filter { $0.count > 1 }
            + noted.filter { names in names.first.map { !isStored($0.table) } ?? false }
    }

    /// Returns the numbers of columns, under the new names of tables and columns.
    func moved(_ noted: [NumberedColumn]) -> [NumberedColumn] {
        if isDone { return noted }
        let kept = keptFields.filter { $0.declared.field.isEncrypted }
        return noted.compactMap { column in
            guard isStored(column.table) else { return column }
            let field = kept.first { field in
                String.isSameIdentifier(field.stored.table, column.table)
                    && field.stored.field.columns == [column.column]
            }
            return field.map { field in
                NumberedColumn(
                    table: field.declared.table, column: field.declared.field.columns[0],
                    number: column.number)
            }
        }
    }

    /// Returns whether a table is one of those that the set declares or has declared.
    private func isStored(_ table: String) -> Bool {
        stored.tables.contains { String.isSameIdentifier($0.name, table) }
    }
}

extension StoreDescription {
    /// The names of the tables with encrypted fields.
    package var encryptedTables: [String] {
        tables.filter { $0.table.fields.contains(where: \.isEncrypted) }.map(\.table.name)
    }

    /// Whether an encrypted field has an index.
    package var hasIndexedEncryptedFields: Bool {
        tables.contains { described in
            described.table.indexes.contains { described.table.encryptsKey(of: $0) }
        }
    }
}

extension CRUDRepositoryError {
    /// Returns the error for a missing or wrong key of indexes.
    static func indexKeyNotFound(_ id: String) -> Self {
        Self(
            .keyNotFound,
            "The indexes of the encrypted fields were written with the key '\(id)', which the program does not have: its key of indexes is missing or another one."
        )
    }
}
