/// The execution of a query in the runtime, on the operations that every store supports.
///
/// Each record found is tested against the whole condition, unless the store evaluates the whole
/// query itself. If the plan finds records in the order of the query, they are taken as they come,
/// and reading stops after the last one needed. Otherwise the run sorts, and holds only rows that
/// can still be among the results.
///
/// A run is used once, by one task.
///
/// The run owns its position in the store: ``nextPage()``, ``visit(_:)`` and ``visitValues(_:)``
/// continue where the previous call stopped.
struct QueryRun<E: Entity> {
    /// A matching record, valid only during the call that receives it.
    struct Row {
        /// The record, which is copied only on request.
        fileprivate let record: FoundRecord<E>
        /// The field values by index. Fields that are not needed are null; the array is empty if no
        /// field is needed.
        let values: [StoredValue]

        /// The entity, which is copied on access. Access it only while the row is visited.
        var entity: E { record.entity }
    }

    /// The query.
    let query: Query<E>
    /// The validated query: its cursor position and the positions of rows.
    let evaluator: QueryEvaluator
    /// The plan, by which the store is asked for records.
    let plan: QueryPlan
    /// The number of records to take from the beginning, including the skipped ones.
    let capacity: Int
    /// The order of the rows.
    let order: RowOrder
    /// Extracts field values from records; nil if no field is needed.
    private var fields: StoredFields?
    /// Whether the access may find records that do not match, so that each one must be tested.
    private let tests: Bool
    /// The compiled condition.
    private let test: RecordTest
    /// How the records of a store in memory are examined; nil for one after the other.
    private let columns: ColumnScan?
    /// The position after which the results start; nil for the beginning, or if nothing is tested.
    private let start: IndexKey?
    /// The records that the access finds, page by page.
    private var source: RecordSource<E>

    /// Validates and plans a query on an open store.
    ///
    /// - Parameters:
    ///   - needs: the field values that the caller needs besides the entities.
    ///   - known: what the store planned for the query; nil to ask it.
    /// - Throws: `unsupported` if the store does not support queries; `invalidQuery` if the query
    ///   is invalid.
    init(
        _ query: Query<E>, _ store: any EntityStore, needing needs: RowNeeds = .nothing,
        planned known: QueryPlan? = nil
    ) throws {
        guard store.capabilities.has(.queries) else {
            throw CRUDRepositoryError.unsupported("queries", by: store.name)
        }
        evaluator = try QueryEvaluator(query)
        plan = QueryPlan(query, store, known: known)
        self.query = query
        let sum = query.skipped.addingReportingOverflow(query.maximum ?? .max)
        capacity = sum.overflow ? .max : sum.partialValue
        order = RowOrder(query.sortKeys, E.Mapper.table)
        let isPlain = query.condition.tree.conjuncts.isEmpty && query.start == nil
        tests = !isPlain && !plan.isAnsweredByStore
        let sorts = plan.sortsInRuntime
        fields = Self.fields(of: query, order, needs, tests: tests, sorts: sorts)
        test = Self.test(of: query, tests: tests)
        let isScan = plan.access == .scan && store is any RecordKeeper
        columns =
            isScan && fields != nil
            ? Self.columns(of: query, order, needs, tests: tests, sorts: sorts) : nil
        start = tests ? evaluator.startPosition.map(order.key(at:)) : nil
        // If the access finds exactly the results, in order, reading can stop at the limit.
        let takesAll = !plan.sortsInRuntime && plan.remainder.isEmpty && plan.startsAtPlace(query)
        source = RecordSource(
            store, plan.access(from: evaluator), after: try Self.start(of: query, evaluator, plan),
            limit: takesAll ? capacity : .max)
    }

    /// Creates a run that reads records with known ids in the given order, and tests them again.
    ///
    /// Used when the ids were found earlier, so that the records may have changed since.
    init(_ query: Query<E>, _ store: any EntityStore, reading ids: [[StoredValue]]) throws {
        evaluator = try QueryEvaluator(query)
        plan = QueryPlan(
            .ids(ids), remainder: query.condition.tree.conjuncts, sortsInRuntime: false,
            maximumReads: ids.count)
        self.query = query
        capacity = ids.count
        order = RowOrder(query.sortKeys, E.Mapper.table)
        tests = true
        fields = Self.fields(of: query, order, .nothing, tests: true, sorts: false)
        test = Self.test(of: query, tests: true)
        columns = nil
        start = evaluator.startPosition.map(order.key(at:))
        source = RecordSource(store, plan.access, after: nil, limit: .max)
    }

    /// Returns the extractor for the fields needed by the caller, the order and the condition; nil
    /// if no field is needed.
    private static func fields(
        of query: Query<E>, _ order: RowOrder, _ needs: RowNeeds, tests: Bool, sorts: Bool
    ) -> StoredFields? {
        let places = places(of: query, order, tests: tests, sorts: sorts)
        let wanted = needs.fields(and: places, tests ? query.condition.tree : nil)
        if let wanted, wanted.isEmpty { return nil }
        return StoredFields(count: E.Mapper.layout.fields.count, wanted: wanted)
    }

    /// Returns the scan of the columns of a store in memory; nil if the query needs other values.
    private static func columns(
        of query: Query<E>, _ order: RowOrder, _ needs: RowNeeds, tests: Bool, sorts: Bool
    ) -> ColumnScan? {
        let places = places(of: query, order, tests: tests, sorts: sorts)
        return needs.fields(and: places, nil).flatMap { fields in
            ColumnScan(
                tests ? query.condition.tree : nil, rowFields: fields, E.Mapper.layout)
        }
    }

    /// Returns the paths whose values give the position of a record, if positions are needed.
    private static func places(
        of query: Query<E>, _ order: RowOrder, tests: Bool, sorts: Bool
    ) -> [FieldPath] {
        sorts || tests && query.start != nil ? order.paths : []
    }

    /// Compiles the condition; returns a test that always succeeds if none is needed.
    private static func test(of query: Query<E>, tests: Bool) -> RecordTest {
        guard tests else { return { _ in true } }
        return query.condition.tree.compiled(fieldCount: E.Mapper.layout.fields.count)
    }

    /// Returns the id after which a scan in id order may start; nil for the beginning.
    ///
    /// - Throws: `invalidQuery` if the cursor does not contain an id of the entity.
    private static func start(
        of query: Query<E>, _ evaluator: QueryEvaluator, _ plan: QueryPlan
    ) throws -> E.ID? {
        guard !plan.sortsInRuntime, plan.access == .scan, query.sortKeys.isEmpty,
            let components = evaluator.startComponents
        else { return nil }
        do {
            var fields = StoredValueDecoder(components)
            let id = try E.ID.decodeComponents(from: &fields)
            return id.invalidReason == nil ? id : nil
        } catch {
            throw CRUDRepositoryError.invalidQuery(
                "Its cursor holds no id of it.", table: E.Mapper.table.name)
        }
    }

    /// Reads each page while the one before it is used, if that helps in the store.
    mutating func readAhead() { source.readsAhead = true }

    /// Returns the next matching records, in the order in which they are found; nil at the end. If
    /// nothing is tested, the result is the array that the store returned.
    mutating func nextPage() async throws -> [E]? {
        guard let page = try await source.nextPage() else { return nil }
        if !tests, case .entities(let list) = page { return list }
        var entities: [E] = []
        _ = try match(page) { place, kept, _ in
            entities.append(page.record(at: place, kept).entity)
            return true
        }
        return entities
    }

    /// Calls a body with each matching row, in the order in which they are found, until it returns
    /// false.
    mutating func visit(_ body: (Row) throws -> Bool) async throws {
        while let page = try await source.nextPage() {
            let goesOn = try match(page) { place, kept, values in
                try body(Row(record: page.record(at: place, kept), values: values))
            }
            if !goesOn { return }
        }
    }

    /// Calls a body with the field values of each matching row, in the order in which they are
    /// found, until it returns false.
    mutating func visitValues(_ body: ([StoredValue]) throws -> Bool) async throws {
        while let page = try await source.nextPage() {
            if try !match(page, { try body($2) }) { return }
        }
    }

    /// Returns the number of matching rows, up to the capacity of the query.
    mutating func count() async throws -> Int {
        let capacity = capacity
        var found = 0
        while found < capacity, let page = try await source.nextPage() {
            if start == nil, let columns, case .kept(var records, let limit) = page {
                let number = try records.countNext(by: columns)
                source.leave(.kept(records, limit: limit), seen: number, found: number)
                found += number
            } else {
                _ = try match(page) { _, _, _ in
                    found += 1
                    return found < capacity
                }
            }
        }
        return min(found, capacity)
    }

    /// Calls a body with each matching row of a page, until it returns false.
    ///
    /// - Returns: whether the body returned true for every row.
    private mutating func match(
        _ page: RecordPage<E>, _ body: (Int, MemoryRecord?, [StoredValue]) throws -> Bool
    ) throws -> Bool {
        let (test, start, order) = (test, start, order)
        var page = page
        if let columns, case .kept(let records, let limit) = page {
            return try match(records, limit: limit, by: columns, body)
        }
        // The extractor is moved out of `self`: with a second reference, its array would be copied
        // for each record.
        var fields = self.fields.take()
        defer { self.fields = fields }
        var (found, goesOn) = (0, true)
        let seen = try page.visit(&fields) { place, kept, values in
            guard test(values) else { return true }
            if let start, !(start < order.key(of: values)) { return true }
            found += 1
            goesOn = try body(place, kept, values)
            return goesOn
        }
        source.leave(page, seen: seen, found: found)
        return goesOn
    }

    /// Calls a body with each matching record that a store holds in memory, until it returns false.
    ///
    /// - Returns: whether the body returned true for every record.
    private mutating func match(
        _ records: KeptRecords<E>, limit: Int, by scan: ColumnScan,
        _ body: (Int, MemoryRecord?, [StoredValue]) throws -> Bool
    ) throws -> Bool {
        let (start, order) = (start, order)
        var records = records
        var (row, goesOn) = ([StoredValue](), true)
        if !scan.rowFields.isEmpty {
            row = Array(repeating: .null, count: E.Mapper.layout.fields.count)
        }
        let found = try records.visitNext(limit: limit, by: scan) { record, columns, place in
            for field in scan.rowFields { row[field] = columns[field][place] }
            if let start, !(start < order.key(of: row)) { return true }
            goesOn = try body(place, record, row)
            return goesOn
        }
        source.leave(.kept(records, limit: limit), seen: found, found: found)
        return goesOn
    }

    /// Returns the results of the query, in its order.
    mutating func entities() async throws -> [E] {
        // If rows are sorted, tested or skipped, only the needed ones are copied.
        guard !tests, !plan.sortsInRuntime, query.skipped == 0, capacity > 0 else {
            // A key path would be projected for each row.
            return try await collect { $0.entity }
        }
        source.readsWholeSelections = plan.isAnsweredByStore || query.maximum == nil
        var entities: [E] = []
        while entities.count < capacity, let page = try await nextPage() {
            if entities.isEmpty { entities = page } else { entities += page }
        }
        return entities.count > capacity ? Array(entities.prefix(capacity)) : entities
    }

    /// Maps each result of the query, in its order, with a body.
    ///
    /// If the run sorts, the body may also be called for rows that later turn out not to be among
    /// the results.
    mutating func collect<R>(_ body: (Row) throws -> R) async throws -> [R] {
        guard capacity > 0 else { return [] }
        source.readsWholeSelections =
            plan.isAnsweredByStore || query.maximum == nil && !plan.sortsInRuntime
        guard plan.sortsInRuntime else { return try await take(body) }
        if let columns, start == nil,
            let order = ColumnOrder(query.sortKeys, fields: columns.rowFields, E.Mapper.layout)
        {
            return try await rank(by: columns, order, body)
        }
        let order = self.order
        var ranked = RankedRows<R>(capacity: capacity)
        var writer = IndexKeyWriter()
        try await visit { row in
            try ranked.insert(row.values, in: order, using: &writer, try body(row))
            return true
        }
        return ranked.result(dropping: query.skipped)
    }

    /// Maps the first records of an order that a store holds in memory.
    private mutating func rank<R>(
        by scan: ColumnScan, _ order: ColumnOrder, _ body: (Row) throws -> R
    ) async throws -> [R] {
        var ranking = ColumnRanking(order, capacity: capacity)
        while case .kept(var records, let limit)? = try await source.nextPage() {
            try records.rankNext(by: scan, into: &ranking)
            source.leave(.kept(records, limit: limit), seen: 0, found: 0)
        }
        var row = Array(repeating: StoredValue.null, count: E.Mapper.layout.fields.count)
        return try ranking.results(dropping: query.skipped) { record, values in
            for (field, value) in zip(order.fields, values) { row[field] = value }
            return try body(Row(record: FoundRecord(record), values: row))
        }
    }

    /// Maps rows that are found in the order of the query, and stops at the limit.
    private mutating func take<R>(_ body: (Row) throws -> R) async throws -> [R] {
        var results: [R] = []
        var seen = 0
        let (skipped, capacity) = (query.skipped, capacity)
        try await visit { row in
            seen += 1
            if seen > skipped { results.append(try body(row)) }
            return seen < capacity
        }
        return results
    }
}

extension QueryPlan {
    /// Whether the store returns exactly the results, in order.
    var isAnsweredByStore: Bool {
        guard case .selection = access else { return false }
        return remainder.isEmpty && !sortsInRuntime
    }

    /// Returns the access with the start position of the query, if the store returns records in the
    /// order of the query.
    fileprivate func access(from evaluator: QueryEvaluator) -> Access {
        guard case .selection(var selection) = access, !sortsInRuntime else { return access }
        selection.after = evaluator.startPosition
        return .selection(selection)
    }

    /// Whether the access finds only records after the cursor of the query.
    fileprivate func startsAtPlace<E: Entity>(_ query: Query<E>) -> Bool {
        guard query.start != nil else { return true }
        switch access {
        case .index(let scans): return scans.first?.after != nil
        case .selection: return !sortsInRuntime
        case .nothing, .ids, .scan: return false
        }
    }
}
