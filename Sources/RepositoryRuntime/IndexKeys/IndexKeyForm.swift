/// How the keys of one index are made: of which fields of a record, in which directions, and with which id.
struct IndexKeyForm: Sendable {
    /// One field of the index.
    private struct Part: Sendable {
        let field: Int
        let type: StoredType
        let descending: Bool
        let ignoresCase: Bool

        func comparable(_ value: StoredValue) -> StoredValue {
            ignoresCase ? value.caseFolded : value
        }
    }

    private let parts: [Part]
    private let id: [Part]
    /// Which records the index covers; all of them when nil.
    private let condition: ConditionTree?

    /// The keys of a declared index.
    init(_ table: EntityTable, _ index: TableIndex) {
        self.init(table, index.keys, where: index.condition)
    }

    /// The keys of an index over a reference, by which the records are found that refer to another.
    init(_ table: EntityTable, reference field: Int) {
        self.init(table, [TableIndex.Key(field: field, descending: false)], where: nil)
    }

    /// The keys of the id order.
    init(ids table: EntityTable) {
        self.init(table, [], where: nil)
    }

    private init(
        _ table: EntityTable, _ keys: [TableIndex.Key], where condition: ConditionTree?
    ) {
        self.condition = condition
        let fields = table.layout.fields
        parts = keys.map {
            Part(
                field: $0.field, type: fields[$0.field].type, descending: $0.descending,
                ignoresCase: table.ignoresCase($0.field))
        }
        id = table.key.map {
            Part(field: $0, type: fields[$0].type, descending: false, ignoresCase: false)
        }
    }

    /// The number of fields.
    var count: Int { parts.count }

    /// Whether the index holds every record by one field, ascending, and then by id.
    func isOnly(of field: Int) -> Bool {
        guard condition == nil, parts.count == 1, let part = parts.first else { return false }
        return part.field == field && !part.descending && !part.ignoresCase
    }

    /// The key of a record; nil where the index does not cover it.
    ///
    /// - Parameter row: the fields of the record, by index.
    func key(of row: [StoredValue]) -> IndexKey? {
        guard covers(row) else { return nil }
        var writer = IndexKeyWriter()
        for part in parts {
            writer.append(
                part.comparable(row[part.field]), part.type, descending: part.descending)
        }
        for part in id { writer.append(row[part.field], part.type, descending: false) }
        return IndexKey(writer.bytes)
    }

    /// Whether the index covers a record.
    func covers(_ row: [StoredValue]) -> Bool { condition?.matches(row) ?? true }

    /// The key, or its beginning, of the values of fields and the components of an id.
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

    /// Where the records stand that have the fields of a record; nil where one of them is null, or the index does not
    /// cover the record, so that in a unique index no other record collides with it.
    func uniqueRange(of row: [StoredValue]) -> IndexKeyRange? {
        guard covers(row) else { return nil }
        let values = parts.map { row[$0.field] }
        if values.contains(.null) { return nil }
        let key = key(values: values)
        return IndexKeyRange(lower: key, upper: key.end)
    }

    /// The part of the key that holds the fields, without the id; nil for bytes that are no key of the index.
    func fields(of key: IndexKey) -> IndexKey? {
        // Among the ids no two keys are equal in their fields.
        if parts.isEmpty { return key }
        var reader = IndexKeyReader(key)
        for part in parts where !reader.skip(descending: part.descending) { return nil }
        return IndexKey(Array(key.bytes[..<reader.position]))
    }

    /// The components of the id of a key; nil for bytes that are no key of the index.
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

    /// The id of a key; nil for bytes that are no key of the index.
    func id<ID: EntityIdentifier>(of key: IndexKey, _ type: ID.Type) -> ID? {
        guard let components = components(of: key) else { return nil }
        var fields = StoredValueDecoder(components)
        // Of the wrong kind they are as little an id as other bytes.
        return try? ID.decodeComponents(from: &fields)
    }
}

extension IndexKeyForm {
    /// The part of the index that a scan walks, from whichever end, without regard to where it starts.
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
