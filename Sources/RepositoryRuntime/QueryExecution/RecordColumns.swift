/// The values of fields of the records in one leaf of a table in memory, one array for each field.
///
/// A query that examines every record reads these arrays, instead of extracting the fields of one
/// record after the other. A column is computed when a query first needs it, and belongs to the
/// leaf until one of its records changes. It costs at most 32 bytes for each record; strings are
/// shared with the records.
///
/// The object is not synchronized: it is used only inside the lock of its store.
final class RecordColumns {
    /// The number of records, at most 64.
    let count: Int
    /// The columns by field; nil for those that no query has needed.
    private var columns: [RecordColumn?]

    init(count: Int, fieldCount: Int) {
        self.count = count
        columns = Array(repeating: nil, count: fieldCount)
    }

    /// The bits of all records.
    var all: UInt64 { Self.bits(0..<count) }

    /// Returns the bits of the records in a range.
    static func bits(_ places: Range<Int>) -> UInt64 {
        // Shifts by 64 give zero.
        (UInt64.max << places.lowerBound) & ~(UInt64.max << places.upperBound)
    }

    /// Returns the column of a field that was computed; an empty one for another field.
    @inline(__always)
    subscript(field: Int) -> RecordColumn { columns[field] ?? .values([]) }

    /// Computes columns that are missing.
    ///
    /// - Parameters:
    ///   - fields: the fields that a query needs.
    ///   - records: the records of the leaf, which must belong to a table of the type.
    /// - Returns: whether a column was missing.
    func complete<E: Entity>(
        _ fields: [Int], of records: ContiguousArray<MemoryRecord>, _ type: E.Type
    ) throws -> Bool {
        if fields.allSatisfy({ columns[$0] != nil }) { return false }
        let missing = fields.filter { columns[$0] == nil }
        var list = StoredFields(count: columns.count, wanted: Set(missing))
        var values = missing.map { _ in
            var column: [StoredValue] = []
            column.reserveCapacity(count)
            return column
        }
        for record in records {
            try E.Mapper.collect(record.entity(type), into: &list)
            for (place, field) in missing.enumerated() { values[place].append(list.values[field]) }
        }
        for (field, values) in zip(missing, values) { columns[field] = RecordColumn(values) }
        return true
    }
}

/// The values of one field of some records.
enum RecordColumn {
    /// Integers, none of which is null.
    case integers([Int64])
    /// Floating-point numbers, none of which is null.
    case doubles([Double])
    /// Strings, none of which is null.
    case texts([String])
    /// Values of any other kind.
    case values([StoredValue])

    /// Chooses the layout for some values.
    init(_ values: [StoredValue]) {
        switch values.first {
        case .integer:
            let integers = values.compactMap {
                if case .integer(let value) = $0 { value } else { nil }
            }
            self = integers.count == values.count ? .integers(integers) : .values(values)
        case .double:
            let doubles = values.compactMap {
                if case .double(let value) = $0 { value } else { nil }
            }
            self = doubles.count == values.count ? .doubles(doubles) : .values(values)
        case .text:
            let texts = values.compactMap { if case .text(let value) = $0 { value } else { nil } }
            self = texts.count == values.count ? .texts(texts) : .values(values)
        default:
            self = .values(values)
        }
    }

    /// The value of a record.
    subscript(place: Int) -> StoredValue {
        switch self {
        case .integers(let values): .integer(values[place])
        case .doubles(let values): .double(values[place])
        case .texts(let values): .text(values[place])
        case .values(let values): values[place]
        }
    }
}

extension OrderedTreeNode<MemoryRecord> {
    /// Returns the columns of this leaf, with those of some fields.
    ///
    /// - Returns: the columns, and whether one of them was missing.
    func columns<E: Entity>(
        _ fields: [Int], _ type: E.Type
    ) throws -> (columns: RecordColumns, areNew: Bool) {
        let columns: RecordColumns
        if let derived {
            // Trees of records derive nothing else.
            columns = unsafeDowncast(derived, to: RecordColumns.self)
        } else {
            columns = RecordColumns(count: count, fieldCount: E.Mapper.layout.fields.count)
            derived = columns
        }
        return (columns, try columns.complete(fields, of: values, type))
    }
}
