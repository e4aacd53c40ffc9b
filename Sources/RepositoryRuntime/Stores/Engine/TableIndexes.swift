/// What a table's declared indexes and references lead to: from values to ids, in memory.
///
/// It is derived from the records and can be made anew from them at any time. A change costs the same however many
/// records there are.
struct TableIndexes<ID: Hashable & Sendable>: Sendable {
    /// The values of a record's fields that indexes and references are made of; null elsewhere.
    typealias Row = [StoredValue]

    private struct Lookup: Sendable {
        let fields: [Int]
        var ids: [[StoredValue]: IDSet<ID>] = [:]
    }

    /// One look-up for each number of leading fields of each index.
    private var indexes: [[Lookup]]
    private let uniqueIndexes: [Int]
    private let referenceFields: [Int]
    private var references: [Int: Lookup] = [:]
    private var rows: [ID: Row] = [:]
    private let fields: [Bool]

    /// Makes the indexes of a table without records.
    init(_ table: EntityTable) {
        indexes = table.indexes.map { index in
            index.keys.indices.map { Lookup(fields: index.keys[...$0].map(\.field)) }
        }
        uniqueIndexes = table.indexes.indices.filter { table.indexes[$0].isUnique }
        referenceFields = table.keptReferences.map(\.field)
        var fields = [Bool](repeating: false, count: table.fields.count)
        for key in table.indexes.flatMap(\.keys) { fields[key.field] = true }
        for field in referenceFields { fields[field] = true }
        self.fields = fields
    }

    /// Whether a table has nothing that leads to its records but their ids.
    static func areEmpty(for table: EntityTable) -> Bool {
        table.indexes.isEmpty && table.keptReferences.isEmpty
    }

    /// Takes over what a record is now, nil when it is gone; returns what it was.
    @discardableResult
    mutating func set(_ id: ID, _ values: Row?) -> Row? {
        let row = values.map { values in
            values.indices.map { fields[$0] ? values[$0] : .null }
        }
        let old = rows[id]
        if old == row { return old }
        change(id, from: old, to: row)
        rows[id] = row
        return old
    }

    private mutating func change(_ id: ID, from old: Row?, to new: Row?) {
        for index in indexes.indices {
            for prefix in indexes[index].indices {
                Self.change(&indexes[index][prefix], id, from: old, to: new)
            }
        }
        for field in referenceFields {
            Self.change(
                &references[field, default: Lookup(fields: [field])], id, from: old, to: new)
        }
    }

    private static func change(_ lookup: inout Lookup, _ id: ID, from old: Row?, to new: Row?) {
        let before = old.map { row in lookup.fields.map { row[$0] } }
        let after = new.map { row in lookup.fields.map { row[$0] } }
        if before == after { return }
        if let before {
            lookup.ids[before]?.remove(id)
            if lookup.ids[before]?.isEmpty ?? false { lookup.ids[before] = nil }
        }
        if let after { lookup.ids[after, default: .none].insert(id) }
    }

    /// The position of a unique index in which another record has the values of this one; nulls never collide.
    ///
    /// - Parameter isLeftOut: answers true for records that do not count.
    func conflict(_ id: ID, _ values: Row, except isLeftOut: (ID) -> Bool) -> Int? {
        uniqueIndexes.first { index in
            guard let lookup = indexes[index].last else { return false }
            let key = lookup.fields.map { values[$0] }
            if key.contains(.null) { return false }
            return lookup.ids[key]?.all.contains { $0 != id && !isLeftOut($0) } ?? false
        }
    }

    /// The ids of the records with these values in the leading fields of an index.
    func ids(index: Int, values: [StoredValue]) -> [ID] {
        indexes[index][values.count - 1].ids[values]?.all ?? []
    }

    /// The ids of the records that refer to a target through a field.
    func ids(referringThrough field: Int, to target: StoredValue) -> [ID] {
        references[field]?.ids[[target]]?.all ?? []
    }
}

/// A set of ids, which for most values of most indexes holds one.
enum IDSet<ID: Hashable & Sendable>: Sendable {
    case none
    case one(ID)
    case many(Set<ID>)

    var isEmpty: Bool {
        switch self {
        case .none: true
        case .one: false
        case .many(let ids): ids.isEmpty
        }
    }

    var all: [ID] {
        switch self {
        case .none: []
        case .one(let id): [id]
        case .many(let ids): Array(ids)
        }
    }

    mutating func insert(_ id: ID) {
        switch self {
        case .none: self = .one(id)
        case .one(let other): self = other == id ? self : .many([other, id])
        case .many(var ids):
            // Without this the set would be copied for each id.
            self = .none
            ids.insert(id)
            self = .many(ids)
        }
    }

    mutating func remove(_ id: ID) {
        switch self {
        case .none: break
        case .one(let other): if other == id { self = .none }
        case .many(var ids):
            self = .none
            ids.remove(id)
            self = .many(ids)
        }
    }
}

extension EntityTable {
    /// The fields whose references a store keeps: all but those that say `none`.
    var keptReferences: [(field: Int, reference: TableReference)] {
        fields.enumerated().compactMap { field, description in
            guard let reference = description.reference, reference.onDelete != .none else {
                return nil
            }
            return (field, reference)
        }
    }
}
