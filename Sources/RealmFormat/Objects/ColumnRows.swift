/// The rows of a table, or of a table inside a row, of formats up to 9: each column is a B+-tree.
struct ColumnRows {
    private var columns: [ColumnValues] = []
    private let table: String
    /// The number of the next row.
    private(set) var row = 0

    /// - Parameters:
    ///   - ref: the ref of the refs of the columns; 0 if there are no rows.
    ///   - properties: the columns.
    ///   - table: the name of the table, for errors.
    ///   - depth: the number of tables around this one.
    init(
        _ ref: UInt64, _ properties: [RealmProperty], of table: String, depth: Int,
        _ reader: NodeReader
    ) throws(RealmFileError) {
        self.table = table
        guard depth <= CollectionReader.nestingLimit else {
            throw .damaged("table \(table): tables are nested too deep")
        }
        guard ref != 0 else { return }
        let refs = try reader.refs(reader.node(ref))
        for property in properties {
            guard property.place < refs.count else {
                throw .damaged("table \(table): no data for column \(property.name)")
            }
            columns.append(
                try ColumnValues(
                    refs[ref: property.place].asRef(), property, table, depth, reader))
        }
    }

    /// Returns the values of the next row; `nil` at the end.
    mutating func next() throws(RealmFileError) -> [RealmValue]? {
        var values: [RealmValue] = []
        values.reserveCapacity(columns.count)
        for index in columns.indices {
            if let value = try columns[index].next() {
                guard values.count == index else { throw unequal }
                values.append(value)
            } else if index > 0, !values.isEmpty {
                throw unequal
            }
        }
        guard !values.isEmpty else { return nil }
        row += 1
        return values
    }

    private var unequal: RealmFileError {
        .damaged("table \(table): the columns have different numbers of values")
    }

    /// Reads a whole table inside a row.
    static func rows(
        _ ref: UInt64, _ properties: [RealmProperty], of table: String, depth: Int,
        _ reader: NodeReader
    ) throws(RealmFileError) -> [[RealmValue]] {
        var rows = try ColumnRows(ref, properties, of: table, depth: depth, reader)
        var result: [[RealmValue]] = []
        while let row = try rows.next() {
            result.append(row)
            guard result.count * properties.count <= CollectionReader.elementLimit else {
                throw RealmFileError(.tooLarge, "table \(table): a table inside a row is too large")
            }
        }
        return result
    }
}

/// The values of a column of formats up to 9.
struct ColumnValues {
    private let property: RealmProperty
    private let table: String
    private let depth: Int
    private let reader: NodeReader
    private var leaves: TreeLeaves
    /// Of dates the leaves of the nanoseconds, whose numbers of values may be others.
    private var rest: LeafValues?
    private var mixed: OldMixedValues?
    private var leaf: Leaf?
    private var refs: IntegerArray?
    private var position = 0

    init(
        _ ref: UInt64, _ property: RealmProperty, _ table: String, _ depth: Int,
        _ reader: NodeReader
    ) throws(RealmFileError) {
        (self.property, self.table, self.depth, self.reader) = (property, table, depth, reader)
        leaves = TreeLeaves(reader, root: ref)
        if property.type == .date && !property.isSubtableList {
            let parts = try reader.refs(reader.node(ref))
            guard parts.count == 2 else {
                throw .damaged("table \(table): column \(property.name) is not one of dates")
            }
            leaves = TreeLeaves(reader, root: try parts[ref: 0].asRef())
            rest = LeafValues(reader, root: try parts[ref: 1].asRef(), .integer(isNullable: false))
        } else if property.type == .mixed, !property.isSubtableList {
            mixed = try OldMixedValues(ref, table, depth, reader)
        }
    }

    /// Whether the elements of the leaves are refs.
    private var hasRefs: Bool { property.collection != nil || property.columns != nil }

    /// Returns the next value; `nil` at the end.
    mutating func next() throws(RealmFileError) -> RealmValue? {
        if mixed != nil { return try mixed?.next() }
        while position >= (leaf?.count ?? refs?.count ?? 0) {
            guard let node = try leaves.next() else {
                guard try rest?.next() == nil else { throw unequalDates }
                return nil
            }
            position = 0
            if hasRefs {
                refs = try reader.refs(node)
            } else if rest != nil {
                leaf = try Leaf(node, .integer(isNullable: true), reader)
            } else {
                leaf = try Leaf(node, property, reader)
            }
        }
        position += 1
        if let refs { return try inner(refs[ref: position - 1].asRef()) }
        let value = try leaf?.value(at: position - 1, reader)
        guard rest != nil else { return value }
        guard case .int(let nanoseconds) = try rest?.next() else { throw unequalDates }
        guard case .int(let seconds) = value else { return value }
        return try .date(seconds, nanoseconds)
    }

    private var unequalDates: RealmFileError {
        .damaged("table \(table): seconds and nanoseconds differ in number")
    }

    /// Reads a list of links, or a table inside a row.
    private func inner(_ ref: UInt64) throws(RealmFileError) -> RealmValue {
        guard let columns = property.columns else {
            var elements = CollectionReader(reader)
            return .list(try elements.elements(ref, property))
        }
        let rows = try ColumnRows.rows(ref, columns, of: table, depth: depth + 1, reader)
        return property.isSubtableList
            ? .list(rows.flatMap { $0 })
            : .table(RealmSubtable(properties: columns, rows: rows))
    }
}

/// The values of a B+-tree, one after the other.
struct LeafValues {
    private let reader: NodeReader
    private let property: RealmProperty
    private var leaves: TreeLeaves
    private var leaf: Leaf?
    private var position = 0

    init(_ reader: NodeReader, root: UInt64, _ property: RealmProperty) {
        (self.reader, self.property) = (reader, property)
        leaves = TreeLeaves(reader, root: root)
    }

    mutating func next() throws(RealmFileError) -> RealmValue? {
        while position >= leaf?.count ?? 0 {
            guard let node = try leaves.next() else { return nil }
            leaf = try Leaf(node, property, reader)
            position = 0
        }
        position += 1
        return try leaf?.value(at: position - 1, reader)
    }
}

extension RealmProperty {
    /// A column of integers.
    static func integer(isNullable: Bool) -> Self {
        RealmProperty(name: "", type: .int, isNullable: isNullable, place: 0)
    }
}
