/// The reference semantics of a query: a store is correct if its results equal those of this type.
///
/// It evaluates a query on records in memory, without indexes. Queries that run in the runtime, and
/// the conformance tests, use it.
public struct QueryEvaluator: Sendable {
    /// The condition that records must satisfy.
    public let condition: ConditionTree
    /// The sort keys, without the id.
    private let sortKeys: [SortKey]
    /// The paths of the components of the id.
    private let key: [FieldPath]
    private let table: String
    /// The position of the cursor; nil for the beginning.
    private let start: [StoredValue]?
    /// The number of leading results to skip.
    private let skipped: Int
    /// The maximum number of results; nil for no limit.
    private let maximum: Int?
    /// The table, the sort keys and their case folding as a string. The ``QueryCursor/order`` of a
    /// cursor must equal it.
    private let order: String

    /// Validates a query and creates its evaluator.
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
        try Self.check(query)
        if let cursor = query.start { try check(cursor, Model.self) }
    }

    /// Validates a query, except for its cursor.
    ///
    /// - Throws: ``CRUDRepositoryError`` with code `.invalidQuery`.
    static func check<Model: Entity>(_ query: Query<Model>) throws {
        let table = Model.Mapper.table
        if let invalidReason = query.condition.tree.invalidReason {
            throw CRUDRepositoryError.invalidQuery(invalidReason, table: table.name)
        }
        if query.skipped < 0 || (query.maximum ?? 0) < 0 {
            throw CRUDRepositoryError.invalidQuery(
                "Its limit or its offset is negative.", table: table.name)
        }
        for case let value? in query.sortKeys.lazy.map(\.relative)
        where value.depth > RelatedCondition.deepest {
            throw CRUDRepositoryError.invalidQuery(
                "Its order, \(value.text(in: table.layout)), follows references more than "
                    + "\(RelatedCondition.deepest) deep.", table: table.name)
        }
    }

    /// Validates a cursor, whose string may come from an untrusted source: it must belong to this
    /// table and these sort keys, each value must have the type of its field, and the remaining
    /// values must form an id.
    ///
    /// The values are not validated further. A record written by another program may hold values
    /// that this one would not write, and a cursor must be able to point at such a record.
    private func check<Model: Entity>(_ cursor: QueryCursor, _ type: Model.Type) throws {
        let table = Model.Mapper.table
        /// Creates the error for an invalid cursor.
        func refuse(_ reason: String) -> CRUDRepositoryError {
            .invalidQuery("Its cursor \(reason).", table: table.name)
        }
        guard cursor.order == order, cursor.position.count == sortKeys.count + key.count else {
            throw refuse("is of another order")
        }
        for (key, value) in zip(sortKeys, cursor.position) {
            guard
                key.relative?.canBe(value, in: table.layout)
                    ?? key.path.canHold(value, in: table.layout)
            else {
                throw refuse("holds a value of another type")
            }
        }
        do {
            var fields = StoredValueDecoder(Array(cursor.position.suffix(key.count)))
            let id = try Model.ID.decodeComponents(from: &fields)
            guard id.invalidReason == nil else { throw refuse("holds no id") }
        } catch is RecordDecodingError {
            throw refuse("holds no id")
        }
    }

    /// The string that identifies the order of a query: the table name, then the sort keys, with
    /// `-` for descending and `~` for case-folded ones.
    private static func order<Model: Entity>(
        of query: Query<Model>, _ table: EntityTable
    ) -> String {
        let keys = query.sortKeys.map { key in
            (key.direction == .descending ? "-" : "")
                + (key.relative?.wholeText(in: table.layout)
                    ?? key.path.wholeText(in: table.layout) + (key.path.ignoresCase ? "~" : ""))
        }
        return "\(table.name):\(keys.joined(separator: ","))"
    }

    /// Returns the records that the query selects, in its order.
    ///
    /// - Complexity: O(*n* log *n*) for *n* records. All matching records are sorted, even if the
    ///   limit is small.
    ///
    /// - Parameter records: all records of the table, each as its fields by index, in any order.
    public func results(of records: [[StoredValue]]) -> [[StoredValue]] {
        let found = records.filter { matches($0) }.map { (position: position(of: $0), record: $0) }
        let rest = found.sorted { precedes($0.position, $1.position) }.dropFirst(skipped)
        return rest.prefix(maximum ?? rest.count).map(\.record)
    }

    /// Whether a record satisfies the condition and lies after the cursor.
    ///
    /// - Parameter record: the field values, by field index.
    public func matches(_ record: [StoredValue]) -> Bool {
        guard condition.matches(record) else { return false }
        guard let start else { return true }
        return precedes(start, position(of: record))
    }

    /// Returns the position of a record in the order of the query: its sort values and the
    /// components of its id.
    ///
    /// - Parameter record: the field values, by field index.
    public func position(of record: [StoredValue]) -> [StoredValue] {
        sortKeys.map { $0.value(in: record) } + key.map { $0.value(in: record) }
    }

    /// Whether one position lies before another.
    ///
    /// Both positions must come from ``position(of:)`` or a cursor of this query.
    public func precedes(_ left: [StoredValue], _ right: [StoredValue]) -> Bool {
        for index in 0..<min(left.count, right.count) where left[index] != right[index] {
            let descends =
                index < sortKeys.count && sortKeys[index].direction == .descending
            return descends ? right[index] < left[index] : left[index] < right[index]
        }
        return false
    }

    /// Returns the cursor that points after a record.
    ///
    /// - Parameter record: the field values, by field index.
    public func cursor(after record: [StoredValue]) -> QueryCursor {
        QueryCursor(order: order, position: position(of: record))
    }

    /// The position after which the query starts; nil for the beginning.
    var startPosition: [StoredValue]? { start }

    /// The components of the id after which the query starts; nil for the beginning.
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
