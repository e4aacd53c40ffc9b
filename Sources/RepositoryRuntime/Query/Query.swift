/// A description of entities to fetch: a condition, an order, and limits. A query is a value that
/// can be stored and passed on.
///
/// Methods return a modified copy, so that queries can be derived from each other. A query reads
/// nothing until a repository runs it.
///
/// ```swift
/// let query = Query<Book>.where { $0.pages > 300 && $0.status == .available }
///     .sorted(by: \.title, .descending)
///     .limit(20)
/// ```
/// The results are ordered by the sort keys, then by id, so the order is always total. Null sorts
/// before every other value. The limit applies after the condition, the cursor and the offset.
public struct Query<Model: Entity>: Sendable, Hashable {
    /// The condition that the entities must satisfy.
    public private(set) var condition: Condition
    /// The keys by which the entities are sorted before the id, the most significant first.
    public private(set) var sortKeys: [SortKey]
    /// The maximum number of entities; nil for no limit.
    public private(set) var maximum: Int?
    /// The number of leading entities to skip.
    public private(set) var skipped: Int
    /// The position after which the results start; nil for the beginning.
    public private(set) var start: QueryCursor?
    /// Whether the query may read every record; see ``allowingFullScan()``.
    public private(set) var allowsFullScan = false
    /// Whether a sort key depends on related records that the runtime has not looked up.
    package private(set) var sortsByRelatives = false
    /// What the query says about deleted records.
    private(set) var deletedRecords = DeletedRecords.undecided

    /// What a query says about deleted records, of its own entity and of related ones.
    enum DeletedRecords: Sendable, Hashable {
        /// The repository decides that runs the query.
        case undecided
        /// They count like others.
        case included
        /// They are left out, and the condition and the sort keys say so.
        case hidden
    }

    /// Creates a query for all entities, in id order.
    public init() {
        condition = Condition(.constant(true))
        sortKeys = []
        skipped = 0
    }

    /// Creates a query from data. Nothing is validated, so that a negative limit is reported when
    /// the query runs.
    package init(
        _ condition: Condition, sortKeys: [SortKey], maximum: Int? = nil, skipped: Int = 0
    ) {
        let table = Model.Mapper.table
        self.condition = table.comparable(condition)
        self.sortKeys = sortKeys.map { table.comparable($0) }
        sortsByRelatives = sortKeys.contains { $0.relative != nil && $0.lookup == nil }
        self.maximum = maximum
        self.skipped = skipped
    }

    /// All entities, in id order.
    public static var all: Self { Self() }

    /// Creates a query for the entities that satisfy a condition.
    ///
    /// - Parameter condition: returns the condition on the entity's fields.
    public static func `where`(_ condition: (Model.Fields) -> Condition) -> Self {
        Self().where(condition)
    }

    /// Creates a query for all entities, sorted by a value; see the method of the same name.
    public static func sorted<Value: SortableValue<Model>>(
        by value: KeyPath<Model.Fields, Value>, _ direction: SortDirection = .ascending
    ) -> Self {
        Self().sorted(by: value, direction)
    }

    /// Creates a query for all entities, sorted by a value; see the method of the same name.
    public static func sorted<Value: SortableValue<Model>>(
        _ direction: SortDirection = .ascending, by value: (Model.Fields) -> Value
    ) -> Self {
        Self().sorted(direction, by: value)
    }

    /// Creates a query for the first entities in id order.
    public static func limit(_ count: Int) -> Self { Self().limit(count) }
}

extension Query {
    /// Returns a query for the entities that also satisfy a condition.
    ///
    /// - Parameter condition: returns the condition on the entity's fields.
    public func `where`(_ condition: (Model.Fields) -> Condition) -> Self {
        var copy = self
        let other = condition(Model.Fields()).checked(for: Model.self)
        copy.condition = self.condition && Model.Mapper.table.comparable(other)
        return copy
    }

    /// Returns a query for the same entities with an additional, less significant sort key.
    ///
    /// ```swift
    /// Query<Book>.sorted(by: \.author.name).sorted(by: \.loans.count, .descending)
    /// ```
    /// - Parameters:
    ///   - value: the field, as in `\.title` or `\.shelf.row`, the field of a record to which
    ///     references lead, or the number of the records of a relation. Null sorts before all
    ///     values, and so does a value behind a reference without a record.
    ///   - direction: whether larger values come last or first.
    public func sorted<Value: SortableValue<Model>>(
        by value: KeyPath<Model.Fields, Value>, _ direction: SortDirection = .ascending
    ) -> Self {
        sorted(by: Model.Fields()[keyPath: value].sortKey(direction))
    }

    /// Returns a query for the same entities with an additional, less significant sort key.
    ///
    /// ```swift
    /// Query<Book>.sorted { $0.author.name }.sorted(.descending) { $0.loans.count }
    /// ```
    /// It means the same as the method with a key path. Swift instantiates the key path of a value
    /// behind a reference again for each query, which takes some microseconds; a closure takes
    /// none.
    ///
    /// - Parameters:
    ///   - direction: whether larger values come last or first.
    ///   - value: returns the field, the field of a record to which references lead, or the number
    ///     of the records of a relation.
    public func sorted<Value: SortableValue<Model>>(
        _ direction: SortDirection = .ascending, by value: (Model.Fields) -> Value
    ) -> Self {
        sorted(by: value(Model.Fields()).sortKey(direction))
    }

    /// Returns a query for the same entities with an additional sort key.
    private func sorted(by key: SortKey) -> Self {
        var copy = self
        copy.sortsByRelatives = sortsByRelatives || key.relative != nil
        copy.sortKeys.append(Model.Mapper.table.comparable(key))
        return copy
    }

    /// Returns a query for the first of these entities.
    ///
    /// - Parameter count: the maximum number of entities. A negative number makes the operation
    ///   throw `invalidQuery`.
    public func limit(_ count: Int) -> Self {
        var copy = self
        copy.maximum = count
        return copy
    }

    /// Returns a query that skips the first of these entities.
    ///
    /// - Parameter count: the number of entities to skip, counted from the cursor if there is one.
    ///   A negative number makes the operation throw `invalidQuery`.
    public func offset(_ count: Int) -> Self {
        var copy = self
        copy.skipped = count
        return copy
    }

    /// Returns a query for the entities after a position. The position stays valid when entities
    /// are inserted or deleted.
    ///
    /// Setting a cursor resets an earlier offset, because the cursor already lies after the skipped
    /// entities.
    /// - Parameter cursor: the position, from ``QueryPage/next``; nil returns this query unchanged.
    public func page(after cursor: QueryCursor?) -> Self {
        guard let cursor else { return self }
        var copy = self
        copy.start = cursor
        copy.skipped = 0
        return copy
    }

    /// Whether the query asks for related records.
    var namesRelatives: Bool { condition.namesRelatives || sortsByRelatives }

    /// The names of the tables that the query reads.
    var tables: Set<String> {
        var tables = condition.tree.relatedTables.union([Model.Mapper.table.name])
        for key in sortKeys { tables.formUnion(key.relative?.tables ?? []) }
        return tables
    }

    /// Returns the query with another condition, which is evaluated on the records of this entity.
    func with(_ tree: ConditionTree) -> Self {
        var copy = self
        copy.condition = Condition(tree)
        return copy
    }

    /// Returns the query with the same sort keys, whose values are known.
    func with(known sortKeys: [SortKey]) -> Self {
        var copy = self
        copy.sortKeys = sortKeys
        copy.sortsByRelatives = false
        return copy
    }

    /// Returns a query that finds deleted records of entities with `softDelete` like others: of its
    /// own entity, and of those that its condition, its order and loaders of related records name.
    ///
    /// ```swift
    /// let deleted = try await books.fetch(.where { $0.deletedAt != nil }.includingDeleted())
    /// ```
    public func includingDeleted() -> Self {
        guard deletedRecords == .undecided else { return self }
        var copy = self
        copy.deletedRecords = .included
        return copy
    }

    /// The query that leaves deleted records out, unless it asks for them.
    var hidingDeleted: Self {
        guard deletedRecords == .undecided else { return self }
        var copy = self
        copy.deletedRecords = .hidden
        // The caller's condition may have the greatest depth that is allowed.
        copy.condition = condition.mapped { $0.hidingDeleted(Model.deletionPath) }
        guard sortsByRelatives else { return copy }
        copy.sortKeys = sortKeys.map { key in
            guard let relative = key.relative, key.lookup == nil else { return key }
            return SortKey(relative.hidingDeleted, key.direction)
        }
        return copy
    }

    /// Returns a query that may read every record.
    ///
    /// For any other query without a suitable declared index, the ``FullScanPolicy`` of the
    /// repositories decides.
    public func allowingFullScan() -> Self {
        var copy = self
        copy.allowsFullScan = true
        return copy
    }

    /// Whether the query selects all records that satisfy its condition, whatever its order.
    var isWhole: Bool { maximum == nil && skipped == 0 && start == nil }

    /// The same query without sort keys: its results are in id order.
    var unsorted: Self {
        var copy = self
        copy.sortKeys = []
        copy.sortsByRelatives = false
        return copy
    }

    /// The same query without a cursor: its results start at the beginning.
    var withoutStart: Self {
        var copy = self
        copy.start = nil
        return copy
    }
}

extension Query: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The query as Swift source, with `?` for each value: `Query<Book>.where(pages >
    /// ?).limit(20)`.
    public var description: String {
        let layout = Model.Mapper.layout
        var text = "Query<\(Model.self)>"
        if condition.tree != .constant(true) {
            text += ".where(\(condition.tree.text(in: layout)))"
        }
        for key in sortKeys {
            let direction = key.direction == .descending ? ", .descending" : ""
            let value = key.relative?.text(in: layout) ?? key.path.text(in: layout)
            text += ".sorted(by: \(value)\(direction))"
        }
        if start != nil { text += ".page(after: ?)" }
        if skipped != 0 { text += ".offset(\(skipped))" }
        if let maximum { text += ".limit(\(maximum))" }
        if deletedRecords == .included { text += ".includingDeleted()" }
        return allowsFullScan ? text + ".allowingFullScan()" : text
    }

    /// The query without its values.
    public var debugDescription: String { description }
    /// A mirror without the values.
    public var customMirror: Mirror { Mirror(hiding: self) }
}
