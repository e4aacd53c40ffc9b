package import Foundation
package import RepositoryRuntime
internal import StoredSchema

extension SQLTable {
    /// Checks that a store can encrypt the fields of the table that are declared to be encrypted.
    ///
    /// - Parameter store: the kind of store, for the message.
    /// - Throws: `keyNotFound` if the store has no encryption, or no key for the indexes of encrypted
    ///   fields; `unsupported` if the table is unmanaged, or if the store must compare an encrypted
    ///   value otherwise.
    package func requireEncryption(of store: String) throws {
        guard entity.hasEncryptedFields else { return }
        func refuse(_ what: String) -> CRUDRepositoryError {
            var error = CRUDRepositoryError.unsupported(what, by: store)
            error.table = name
            return error
        }
        guard entity.isManaged else {
            throw refuse("encrypted fields in the unmanaged table '\(name)'")
        }
        // An index over one encrypted field contains hashes.
        let ordered = entity.indexes.filter { $0.keys.count > 1 || !$0.keys[0].path.names.isEmpty }
        let compared =
            entity.key + entity.searchedFields + [entity.versionField].compactMap { $0 }
            + ordered.flatMap { $0.keys.map(\.field) } + references.map(\.field)
        if let field = compared.first(where: { entity.fields[$0].isEncrypted }) {
            throw refuse(
                "the encrypted field '\(fieldName(field))' of '\(name)' in an id, an index of several fields, a search or a reference"
            )
        }
        guard let cipher else { throw CRUDRepositoryError.keysMissing(for: entity, in: store) }
        guard let field = cipher.indexedFields.first else { return }
        if let other = cipher.indexedFields.first(where: { !canHash($0) }) {
            throw refuse("an index over the encrypted field '\(fieldName(other))' of '\(name)'")
        }
        if cipher.cipher.indexKeyID == nil {
            throw CRUDRepositoryError.indexKeyMissing(
                for: entity, field: fieldName(field), in: store)
        }
    }

    /// Whether the values of a field can be hashed: those of embedded values, lists and maps cannot.
    private func canHash(_ field: Int) -> Bool {
        if case .single = entity.layout.fields[field].type.structure { true } else { false }
    }
}

/// Computes what must precede the stored encrypted values of a table, as its indexes need it.
package struct SQLIndexHeads: Sendable {
    private let table: SQLTable
    private let layout: StoredRowLayout

    /// Prepares a table.
    ///
    /// - Throws: ``MigrationFailure`` for a type that cannot be stored.
    package init(_ table: SQLTable) throws {
        self.table = table
        layout = try StoredRowLayout(StoredTable(table.entity, in: table.schema))
    }

    /// Returns what must precede a stored value; nil if the value cannot be decrypted.
    ///
    /// - Parameters:
    ///   - stored: the stored bytes.
    ///   - field: a field that has an index.
    ///   - id: the components of the record's id.
    ///   - isNoted: returns whether the store was written with a key.
    /// - Throws: `keyNotFound`.
    package func head(
        of stored: Data, _ field: Int, id: [StoredValue], isNoted: (String) throws -> Bool
    ) throws -> Data? {
        guard let cipher = table.cipher else { return nil }
        return try withoutActuallyEscaping(isNoted) { isNoted in
            var row = [StoredValue](repeating: .null, count: table.entity.fields.count)
            row[field] = .data(stored)
            var fields = OpeningDecoder(StoredValueDecoder(row), cipher, id: id, isNoted: isNoted)
            do {
                let value = try layout.values(of: [field], from: &fields)[0]
                return try cipher.head(of: value, field)
            } catch is RecordDecodingError {
                return nil
            }
        }
    }
}

extension SQLColumn {
    /// Returns the expression for the hash that precedes an encrypted value, which an index contains.
    package func head(_ dialect: any SQLDialect) -> String {
        "substr(\(dialect.quoted(name)), 1, \(IndexHead.size))"
    }
}

extension SQLConditionWriter {
    /// Returns a condition that holds for every record for which another one holds, and for few
    /// others: the hash of an encrypted value equals that of the wanted value. The runtime decides
    /// after decryption.
    ///
    /// Returns nil if no index over an encrypted field serves the condition. No parameters are added
    /// then.
    package mutating func narrowing(_ tree: ConditionTree) -> String? {
        narrowing(tree, depth: 0)
    }

    private mutating func narrowing(_ tree: ConditionTree, depth: Int) -> String? {
        guard let cipher = table.cipher, !cipher.indexedFields.isEmpty else { return nil }
        let count = parameters.count
        if let text = narrow(tree.joiningEqualities, depth: depth) { return text }
        removeParameters(after: count)
        return nil
    }

    /// The greatest depth of alternatives in conditions, and their number: databases limit the size of
    /// an expression.
    private static var mostDepth: Int { 8 }
    private static var mostAlternatives: Int { 64 }

    private mutating func narrow(_ tree: ConditionTree, depth: Int) -> String? {
        if depth > Self.mostDepth { return nil }
        switch tree {
        case .compare(let path, .equal, let value): return narrow(path, [value])
        case .isIn(let path, let values): return narrow(path, values.sorted())
        case .any(let alternatives):
            if alternatives.count > Self.mostAlternatives { return nil }
            var (texts, isHashed) = ([String](), false)
            for alternative in alternatives {
                if let text = narrow(alternative, depth: depth + 1) {
                    isHashed = true
                    texts.append(text)
                } else if let text = condition(alternative) {
                    texts.append(text)
                } else {
                    return nil
                }
            }
            // Without a hash, it is a condition that the database was not to evaluate.
            return isHashed ? "(\(texts.joined(separator: " OR ")))" : nil
        case .all(let conditions):
            var texts: [String] = []
            for condition in conditions {
                if let text = narrowing(condition, depth: depth + 1) { texts.append(text) }
            }
            return texts.isEmpty ? nil : "(\(texts.joined(separator: " AND ")))"
        case .constant, .compare, .compareFields, .text, .hasElement, .not, .related, .invalid:
            return nil
        }
    }

    /// Compares the hashes of a field with those of values.
    private mutating func narrow(_ path: FieldPath, _ values: [StoredValue]) -> String? {
        guard path.names.isEmpty, let cipher = table.cipher, cipher.isIndexed(path.field),
            values.count <= Self.mostParameters
        else { return nil }
        let head = table.columns[table.offsets[path.field]].head(dialect)
        var heads: [Data] = []
        for value in values where value != .null {
            // Without the hash of a value, the runtime reads all records.
            guard let bytes = try? cipher.head(of: value, path.field) else { return nil }
            heads.append(bytes)
        }
        var texts = values.contains(.null) ? ["\(head) IS NULL"] : []
        if heads.count == 1 {
            texts.append("\(head) = \(bind(.data(heads[0]), .data))")
        } else if !heads.isEmpty {
            let places = heads.map { bind(.data($0), .data) }
            texts.append("\(head) IN (\(places.joined(separator: ", ")))")
        }
        if texts.isEmpty { return "FALSE" }
        return texts.count == 1 ? texts[0] : "(\(texts.joined(separator: " OR ")))"
    }
}

extension SQLTable {
    /// Returns the selection of the records for which all conditions may hold, as far as the database
    /// decides it, and the conditions that the runtime must test.
    package func selection(
        _ conditions: [ConditionTree], _ dialect: any SQLDialect
    ) -> (selection: StoreSelection, remainder: [ConditionTree]) {
        var (selection, remainder) = (StoreSelection(), [ConditionTree]())
        var writer = SQLConditionWriter(self, dialect)
        for condition in conditions {
            if selection.conditions.count < SQLConditionWriter.largestCondition,
                writer.parameters.count < SQLConditionWriter.longList,
                writer.condition(condition) != nil
            {
                selection.conditions.append(condition)
            } else {
                remainder.append(condition)
                if writer.narrowing(condition) != nil { selection.narrowing.append(condition) }
            }
        }
        return (selection, remainder)
    }
}

extension SQLTable {
    /// Returns the selection of the records that a scan of an index over an encrypted field may find;
    /// nil for another index.
    package func hashed(_ scan: IndexScan, _ dialect: any SQLDialect) -> StoreSelection? {
        guard entity.indexes.indices.contains(scan.index) else { return nil }
        let index = entity.indexes[scan.index]
        guard entity.encryptsKey(of: index), scan.equal.count <= index.keys.count else {
            return nil
        }
        let conditions = zip(index.keys, scan.equal).map {
            ConditionTree.compare($0.path, .equal, $1)
        }
        return selection(conditions, dialect).selection
    }
}
