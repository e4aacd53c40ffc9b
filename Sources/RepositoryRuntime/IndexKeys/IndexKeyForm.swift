/// The recipe for the keys of one index: the fields with their directions, and the components of
/// the id.
///
/// Key order equals index order, so a scan is one range of keys; see ``range(of:)``.
package struct IndexKeyForm: Sendable {
    /// One field or id component, with its type and direction.
    private struct Part: Sendable {
        let path: FieldPath
        let type: StoredType
        let descending: Bool
        let ignoresCase: Bool

        /// Returns the value of a record, as it is stored.
        func value(in row: [StoredValue]) -> StoredValue {
            // Hardly any index leads into an embedded value.
            path.names.isEmpty ? row[path.field] : path.value(in: row)
        }

        /// Returns the value as it is compared: folded if the field ignores case.
        func comparable(_ value: StoredValue) -> StoredValue {
            ignoresCase ? value.caseFolded : value
        }
    }

    /// The fields of the index, in order; empty for the ids themselves.
    private let parts: [Part]
    /// The components of the id, which make every key unique.
    private let id: [Part]
    /// The condition of a partial index; nil if the index covers all records.
    private let condition: ConditionTree?
    /// Whether a value of the first field is written as it is: ascending, and without case folding.
    let writesFirstPlainly: Bool

    /// Creates the recipe for a declared index.
    package init(_ table: EntityTable, _ index: TableIndex) {
        self.init(table, index.keys, where: index.condition)
    }

    /// Creates the recipe for an index over a reference, which finds the records that refer to
    /// another one.
    init(_ table: EntityTable, reference field: Int) {
        self.init(table, [TableIndex.Key(field: field, descending: false)], where: nil)
    }

    /// Creates the recipe for the order of the ids.
    init(ids table: EntityTable) {
        self.init(table, [], where: nil)
    }

    /// Creates the recipe from index fields and the condition of a partial index.
    private init(
        _ table: EntityTable, _ keys: [TableIndex.Key], where condition: ConditionTree?
    ) {
        self.condition = condition
        let fields = table.layout.fields
        parts = keys.map {
            Part(
                path: $0.path, type: table.type(of: $0), descending: $0.descending,
                ignoresCase: table.ignoresCase($0))
        }
        writesFirstPlainly = parts.first.map { !$0.descending && !$0.ignoresCase } ?? false
        id = table.key.map {
            Part(
                path: FieldPath($0), type: fields[$0].type, descending: false, ignoresCase: false)
        }
    }

    /// The number of fields, without the components of the id.
    var count: Int { parts.count }

    /// Whether the index covers all records and its only field is this one, ascending and without
    /// case folding.
    func isOnly(of field: Int) -> Bool {
        guard condition == nil, parts.count == 1, let part = parts.first else { return false }
        return part.path == FieldPath(field) && !part.descending && !part.ignoresCase
    }

    /// Returns the key of a record; nil if the index does not cover it.
    ///
    /// - Parameter row: the field values, by field index.
    func key(of row: [StoredValue]) -> IndexKey? {
        guard covers(row) else { return nil }
        var writer = IndexKeyWriter()
        for part in parts {
            writer.append(
                part.comparable(part.value(in: row)), part.type, descending: part.descending)
        }
        for part in id { writer.append(row[part.path.field], part.type, descending: false) }
        return IndexKey(writer.bytes)
    }

    /// Whether the index covers a record.
    func covers(_ row: [StoredValue]) -> Bool { condition?.matches(row) ?? true }

    /// Returns the key, or key prefix, for the leading values of the fields and the components of
    /// the id. Surplus values are ignored.
    func key(values: some Sequence<StoredValue>) -> IndexKey {
        var writer = IndexKeyWriter()
        var position = 0
        for value in values {
            let isField = position < parts.count
            guard isField || position - parts.count < id.count else { break }
            let part = isField ? parts[position] : id[position - parts.count]
            writer.append(
                part.comparable(value), part.type, descending: part.descending)
            position += 1
        }
        return IndexKey(writer.bytes)
    }

    /// Returns the range of the records with the same field values. In a unique index, a record in
    /// this range violates uniqueness. Returns nil if no record can: a field is null, or the index
    /// does not cover the record.
    func uniqueRange(of row: [StoredValue]) -> IndexKeyRange? {
        guard covers(row) else { return nil }
        let values = parts.map { $0.value(in: row) }
        if values.contains(.null) { return nil }
        let key = key(values: values)
        return IndexKeyRange(lower: key, upper: key.end)
    }

    /// Returns the first key of ``uniqueRange(of:)``.
    package func uniqueKey(of row: [StoredValue]) -> [UInt8]? { uniqueRange(of: row)?.lower.bytes }

    /// Returns the part of the key before the id; nil if the bytes are not a key of the index.
    func fields(of key: IndexKey) -> IndexKey? {
        // Without fields, the id itself makes every key distinct.
        if parts.isEmpty { return key }
        var reader = IndexKeyReader(key)
        for part in parts where !reader.skip(descending: part.descending) { return nil }
        return IndexKey(Array(key.bytes[..<reader.position]))
    }

    /// Returns the components of the id in a key; nil if the bytes are not a key of the index.
    func components(of key: IndexKey) -> [StoredValue]? {
        var reader = IndexKeyReader(key)
        for part in parts where !reader.skip(descending: part.descending) { return nil }
        var values: [StoredValue] = []
        for part in id {
            guard let value = reader.component(part.type) else { return nil }
            values.append(value)
        }
        return reader.isAtEnd ? values : nil
    }

    /// Returns the id in a key; nil if the bytes are not a key of the index.
    func id<ID: EntityIdentifier>(of key: IndexKey, _ type: ID.Type) -> ID? {
        guard let components = components(of: key) else { return nil }
        var fields = StoredValueDecoder(components)
        // Components of another type mean that the bytes are not a key of this index.
        return try? ID.decodeComponents(from: &fields)
    }
}

extension IndexKeyForm {
    /// Returns the key range of a scan. The range does not depend on the direction of the scan, and
    /// ignores its start position.
    func range(of scan: IndexScan) -> IndexKeyRange {
        let prefix = key(values: scan.equal)
        var range = IndexKeyRange(lower: prefix, upper: prefix.end)
        let fields = parts + id
        guard scan.equal.count < fields.count else { return range }
        let descends = fields[scan.equal.count].descending
        if let first = descends ? scan.upper : scan.lower {
            let place = key(values: scan.equal + [first.value])
            range.lower = first.isIncluded ? place : place.end
        }
        if let last = descends ? scan.lower : scan.upper {
            let place = key(values: scan.equal + [last.value])
            range.upper = last.isIncluded ? place.end : place
        }
        return range
    }
}
