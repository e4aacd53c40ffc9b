/// What is asked of a repository: which entities, in which order, how many. A value, to be kept and passed on.
///
/// ```swift
/// let query = Query<Book>.where { $0.pages > 300 && $0.status == .available }
///     .sorted(by: \.title, .descending)
///     .limit(20)
/// ```
/// The order is that of the sort keys, then of the id, which makes it whole; null stands before every other value.
/// The limit counts after the condition, the cursor and the offset.
public struct Query<Model: Entity>: Sendable, Hashable {
    /// What the entities must be like.
    public private(set) var condition: Condition
    /// By what they are sorted before the id, the first key first.
    public private(set) var sortKeys: [SortKey]
    /// How many there are at most; nil for all.
    public private(set) var maximum: Int?
    /// How many of the first are left out.
    public private(set) var skipped: Int
    /// The place after which they start; nil for the beginning.
    public private(set) var start: QueryCursor?
    /// Whether it may read every record; see ``allowingFullScan()``.
    public private(set) var allowsFullScan = false

    /// Asks for all entities, in id order.
    public init() {
        condition = Condition(.constant(true))
        sortKeys = []
        skipped = 0
    }

    /// Asks for what is given as data, a negative limit too.
    package init(
        _ condition: Condition, sortKeys: [SortKey], maximum: Int? = nil, skipped: Int = 0
    ) {
        let table = Model.Mapper.table
        self.condition = table.comparable(condition)
        self.sortKeys = sortKeys.map { table.comparable($0) }
        self.maximum = maximum
        self.skipped = skipped
    }

    /// All entities, in id order.
    public static var all: Self { Self() }

    /// The entities that are as a condition says.
    ///
    /// - Parameter condition: makes the condition of the entity's fields.
    public static func `where`(_ condition: (Model.Fields) -> Condition) -> Self {
        Self().where(condition)
    }

    /// All entities in the order of a field; see the method of the same name.
    public static func sorted<Value: OrderedFieldValue>(
        by field: KeyPath<Model.Fields, QueryField<Model, Value>>,
        _ direction: SortDirection = .ascending
    ) -> Self {
        Self().sorted(by: field, direction)
    }

    /// The first entities, in id order.
    public static func limit(_ count: Int) -> Self { Self().limit(count) }
}

extension Query {
    /// The entities that are also as this condition says.
    ///
    /// - Parameter condition: makes the condition of the entity's fields.
    public func `where`(_ condition: (Model.Fields) -> Condition) -> Self {
        var copy = self
        let other = condition(Model.Fields()).checked(for: Model.self)
        copy.condition = self.condition && Model.Mapper.table.comparable(other)
        return copy
    }

    /// The same entities sorted by a field, within the order asked for before.
    ///
    /// - Parameters:
    ///   - field: the field, as in `\.title` or `\.shelf.row`; null stands before all values.
    ///   - direction: whether larger values come last or first.
    public func sorted<Value: OrderedFieldValue>(
        by field: KeyPath<Model.Fields, QueryField<Model, Value>>,
        _ direction: SortDirection = .ascending
    ) -> Self {
        var copy = self
        let path = Model.Fields()[keyPath: field].queryPath
        let key = SortKey(path: path, direction: direction)
        copy.sortKeys.append(Model.Mapper.table.comparable(key))
        return copy
    }

    /// The first of these entities.
    ///
    /// - Parameter count: how many at most; an operation refuses a negative one.
    public func limit(_ count: Int) -> Self {
        var copy = self
        copy.maximum = count
        return copy
    }

    /// These entities without the first.
    ///
    /// - Parameter count: how many are left out, counted from the cursor where there is one; an operation refuses a
    ///   negative one.
    public func offset(_ count: Int) -> Self {
        var copy = self
        copy.skipped = count
        return copy
    }

    /// These entities from a place on, whatever was inserted or deleted since the place was taken.
    ///
    /// An offset set before is dropped with a cursor, which stands behind what the offset left out already.
    /// - Parameter cursor: the place, from ``QueryPage/next``; nil for the beginning.
    public func page(after cursor: QueryCursor?) -> Self {
        guard let cursor else { return self }
        var copy = self
        copy.start = cursor
        copy.skipped = 0
        return copy
    }

    /// The same entities, also where every record must be read to find them.
    ///
    /// A query that no declared index serves is otherwise answered as the ``FullScanPolicy`` of the repositories says.
    public func allowingFullScan() -> Self {
        var copy = self
        copy.allowsFullScan = true
        return copy
    }

    /// These entities in id order.
    var unsorted: Self {
        var copy = self
        copy.sortKeys = []
        return copy
    }

    /// These entities from the beginning.
    var withoutStart: Self {
        var copy = self
        copy.start = nil
        return copy
    }
}

extension Query: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The query as a program writes it, each value as `?`: `Query<Book>.where(pages > ?).limit(20)`.
    public var description: String {
        let layout = Model.Mapper.layout
        var text = "Query<\(Model.self)>"
        if condition.tree != .constant(true) {
            text += ".where(\(condition.tree.text(in: layout)))"
        }
        for key in sortKeys {
            let direction = key.direction == .descending ? ", .descending" : ""
            text += ".sorted(by: \(key.path.text(in: layout))\(direction))"
        }
        if start != nil { text += ".page(after: ?)" }
        if skipped != 0 { text += ".offset(\(skipped))" }
        if let maximum { text += ".limit(\(maximum))" }
        return allowsFullScan ? text + ".allowingFullScan()" : text
    }

    /// The query without its values.
    public var debugDescription: String { description }
    /// A mirror without the values.
    public var customMirror: Mirror { Mirror(hiding: self) }
}
