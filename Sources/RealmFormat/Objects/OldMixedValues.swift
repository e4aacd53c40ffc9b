/// The values of a column of any type of formats up to 9, which has nothing in common with that of
/// later formats.
struct OldMixedValues {
    private let table: String
    private let depth: Int
    private let reader: NodeReader
    private var types: LeafValues
    private var leaves: TreeLeaves
    private var data = IntegerArray()
    private var position = 0
    /// The values that others refer to by their number. They are in memory: only Objective-C had
    /// such columns, and not for long.
    private var binaries: [RealmValue] = []
    private var dates: [RealmValue] = []

    init(
        _ ref: UInt64, _ table: String, _ depth: Int, _ reader: NodeReader
    ) throws(RealmFileError) {
        (self.table, self.depth, self.reader) = (table, depth, reader)
        let parts = try reader.refs(reader.node(ref))
        guard 2...4 ~= parts.count else {
            throw .damaged("table \(table): not a column of mixed values")
        }
        types = LeafValues(reader, root: try parts[ref: 0].asRef(), .integer(isNullable: false))
        leaves = TreeLeaves(reader, root: try parts[ref: 1].asRef())
        func values(_ part: Int, _ type: RealmType) throws(RealmFileError) -> [RealmValue] {
            guard part < parts.count, parts[ref: part] != 0 else { return [] }
            let property = RealmProperty(name: "", type: type, isNullable: true, place: 0)
            var column = try ColumnValues(parts[ref: part].asRef(), property, table, depth, reader)
            var values: [RealmValue] = []
            while let value = try column.next() { values.append(value) }
            return values
        }
        binaries = try values(2, .binary)
        dates = try values(3, .date)
    }

    /// Returns the next value; `nil` at the end.
    mutating func next() throws(RealmFileError) -> RealmValue? {
        while position >= data.count {
            guard let node = try leaves.next() else {
                guard try types.next() == nil else { throw unequal }
                return nil
            }
            data = try reader.refs(node)
            position = 0
        }
        position += 1
        guard case .int(let type) = try types.next() else { throw unequal }
        return try value(type, data[ref: position - 1])
    }

    private var unequal: RealmFileError {
        .damaged("table \(table): mixed types and values differ in number")
    }

    private func value(_ type: Int64, _ data: UInt64) throws(RealmFileError) -> RealmValue {
        if type == 5 { return try inner(data) }
        guard data == 0 || data & 1 == 1 else {
            throw .damaged("table \(table): a ref in a plain mixed value")
        }
        let bits = data >> 1
        switch type {
        case 0: return .int(Int64(bits))
        case 12: return .int(Int64(bitPattern: bits | 1 << 63))
        case 1: return .bool(bits != 0)
        case 2:
            guard case .binary(let bytes) = try place(bits, binaries) else { return .string("") }
            return .text(bytes.last == 0 ? bytes.dropLast() : bytes[...])
        case 4:
            let value = try place(bits, binaries)
            return value == .null ? .binary([]) : value
        case 7: return try .date(Int64(bitPattern: bits << 1) >> 1, 0)
        case 8: return try place(bits, dates)
        case 9: return .float(bits: UInt32(truncatingIfNeeded: bits))
        case 10: return .double(bits: bits)
        case 11: return .double(bits: bits | 1 << 63)
        default:
            throw RealmFileError(
                .unknownContent, "table \(table): mixed value of the unknown type \(type)")
        }
    }

    private func place(_ index: UInt64, _ values: [RealmValue]) throws(RealmFileError) -> RealmValue
    {
        guard index < UInt64(values.count) else {
            throw .damaged("table \(table): the place of a mixed value is out of range")
        }
        return values[Int(index)]
    }

    /// Reads a table, which has columns of its own.
    private func inner(_ ref: UInt64) throws(RealmFileError) -> RealmValue {
        guard ref != 0 else { return .table(RealmSubtable(properties: [], rows: [])) }
        let top = try reader.refs(reader.node(ref.asRef()))
        guard top.count == 2 else { throw .damaged("table \(table): not a table in a mixed value") }
        let schema = SchemaReader(reader)
        let columns = try schema.withValues(
            schema.columns(top[ref: 0].asRef(), of: table, depth: depth + 1))
        return .table(
            RealmSubtable(
                properties: columns,
                rows: try ColumnRows.rows(
                    top[ref: 1].asRef(), columns, of: table, depth: depth + 1, reader)))
    }
}
