/// The plain meaning of a query: a store is right when it answers what this answers.
public struct QueryEvaluator: Sendable {
    /// What the records must be like.
    public let condition: ConditionTree
    private let sortKeys: [SortKey]
    private let key: [FieldPath]
    private let table: String
    private let start: [StoredValue]?
    private let skipped: Int
    private let maximum: Int?
    /// The table and the sort keys, and which of these are folded, which a cursor must have been made for.
    private let order: String

    /// Checks a query.
    ///
    /// - Throws: ``CRUDRepositoryError`` with code `.invalidQuery`.
    public init<Model: Entity>(_ query: Query<Model>) throws {
        let table = Model.Mapper.table
        self.table = table.name
        condition = query.condition.tree
        sortKeys = query.sortKeys
        key = table.key.map { FieldPath($0) }
        skipped = query.skipped
        maximum = query.maximum
        order = Self.order(of: query, table)
        start = query.start?.position
        if let defect = condition.defect {
            throw CRUDRepositoryError.invalidQuery(defect, table: table.name)
        }
        if skipped < 0 || (maximum ?? 0) < 0 {
            throw CRUDRepositoryError.invalidQuery(
                "Its limit or its offset is negative.", table: table.name)
        }
        if let cursor = query.start { try check(cursor, Model.self) }
    }

    /// Checks that a cursor is a place in the order of the query, whoever made its text: that it is of this table and these
    /// sort keys, that each value is of the kind of its field, and that the rest is an id.
    ///
    /// Values are not checked further. A record that another program has written may hold what this one does not write, and
    /// its place must be one.
    private func check<Model: Entity>(_ cursor: QueryCursor, _ type: Model.Type) throws {
        let table = Model.Mapper.table
        func refuse(_ reason: String) -> CRUDRepositoryError {
            .invalidQuery("Its cursor \(reason).", table: table.name)
        }
        guard cursor.order == order, cursor.position.count == sortKeys.count + key.count else {
            throw refuse("is of another order")
        }
        for (key, value) in zip(sortKeys, cursor.position) {
            guard key.path.canHold(value, in: table.layout) else {
                throw refuse("holds a value of another type")
            }
        }
        do {
            var fields = StoredValueDecoder(Array(cursor.position.suffix(key.count)))
            let id = try Model.ID.decodeComponents(from: &fields)
            guard id.defect == nil else { throw refuse("holds no id") }
        } catch is RecordDecodingError {
            throw refuse("holds no id")
        }
    }

    private static func order<Model: Entity>(
        of query: Query<Model>, _ table: EntityTable
    ) -> String {
        let keys = query.sortKeys.map { key in
            (key.direction == .descending ? "-" : "") + key.path.wholeText(in: table.layout)
                + (key.path.ignoresCase ? "~" : "")
        }
        return "\(table.name):\(keys.joined(separator: ","))"
    }

    /// The records that the query asks for, in its order.
    ///
    /// - Parameter records: all records of the table, each as its fields by index, in any order.
    public func results(of records: [[StoredValue]]) -> [[StoredValue]] {
        let found = records.filter { matches($0) }.map { (position: position(of: $0), record: $0) }
        let rest = found.sorted { precedes($0.position, $1.position) }.dropFirst(skipped)
        return rest.prefix(maximum ?? rest.count).map(\.record)
    }

    /// Whether a record is as the condition says and stands after the cursor.
    public func matches(_ record: [StoredValue]) -> Bool {
        guard condition.matches(record) else { return false }
        guard let start else { return true }
        return precedes(start, position(of: record))
    }

    /// The place of a record in the order of the query: its sort values and the components of its id.
    public func position(of record: [StoredValue]) -> [StoredValue] {
        sortKeys.map { $0.path.value(in: record) } + key.map { $0.value(in: record) }
    }

    /// Whether one place stands before another.
    public func precedes(_ left: [StoredValue], _ right: [StoredValue]) -> Bool {
        for index in 0..<min(left.count, right.count) where left[index] != right[index] {
            let descends =
                index < sortKeys.count && sortKeys[index].direction == .descending
            return descends ? right[index] < left[index] : left[index] < right[index]
        }
        return false
    }

    /// The cursor behind a record.
    public func cursor(after record: [StoredValue]) -> QueryCursor {
        QueryCursor(order: order, position: position(of: record))
    }

    /// The place that the query starts after.
    var startPosition: [StoredValue]? { start }

    /// The components of the id that the query starts after.
    var startComponents: [StoredValue]? {
        start.map { Array($0.suffix(key.count)) }
    }
}

extension QueryEvaluator: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The condition without its values.
    public var description: String { "QueryEvaluator(\(condition))" }
    /// The condition without its values.
    public var debugDescription: String { description }
    /// A mirror without values.
    public var customMirror: Mirror { Mirror(hiding: self) }
}
