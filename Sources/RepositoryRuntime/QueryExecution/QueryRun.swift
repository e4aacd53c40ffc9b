/// One run of a query in the runtime, over the calls that every store has.
///
/// Every record found is tested against the whole condition. Where the plan finds records in the order of the query,
/// they are taken as they come and no more are read than are needed; otherwise only those are kept that can be among
/// the wanted ones.
struct QueryRun<E: Entity> {
    /// One record that matches, while it is looked at.
    struct Row {
        fileprivate let record: FoundRecord<E>
        /// Its fields by index, as far as they are needed, the others null; empty where nothing needs any.
        let values: [StoredValue]

        /// The record, which is copied where somebody asks for it: while the row is looked at, not later.
        var entity: E { record.entity }
    }

    let query: Query<E>
    let evaluator: QueryEvaluator
    let plan: QueryPlan
    /// How many records are taken from the beginning, those left out included.
    let capacity: Int
    /// The order of the rows.
    let order: RowOrder
    /// Takes the fields out of the records; nil where nobody looks at any.
    private var fields: StoredFields?
    /// Whether records are found that may not be wanted.
    private let tests: Bool
    /// The condition.
    private let test: RecordTest
    /// The place behind which the wanted rows stand; nil for the beginning.
    private let start: IndexKey?
    private var source: RecordSource<E>

    /// Checks and plans a query over a store that is open.
    ///
    /// - Parameter needs: what is asked for of the rows besides the entities.
    /// - Throws: `unsupported` where the store answers no queries; `invalidQuery`.
    init(_ query: Query<E>, _ store: any EntityStore, needing needs: RowNeeds = .nothing) throws {
        guard store.capabilities.has(.queries) else {
            throw CRUDRepositoryError.unsupported("queries", by: store.name)
        }
        evaluator = try QueryEvaluator(query)
        plan = QueryPlan(query, store)
        self.query = query
        let sum = query.skipped.addingReportingOverflow(query.maximum ?? .max)
        capacity = sum.overflow ? .max : sum.partialValue
        order = RowOrder(query.sortKeys, E.Mapper.table)
        let isPlain = query.condition.tree.conjuncts.isEmpty && query.start == nil
        tests = !isPlain && !plan.isAnsweredByStore
        fields = Self.fields(of: query, order, needs, tests: tests, sorts: plan.sortsInRuntime)
        test = Self.test(of: query, tests: tests)
        start = tests ? evaluator.startPosition.map(order.key(at:)) : nil
        // What is found is what is wanted, in its order: no more need be read.
        let takesAll = !plan.sortsInRuntime && plan.remainder.isEmpty && plan.startsAtPlace(query)
        source = RecordSource(
            store, plan.access(from: evaluator), after: try Self.start(of: query, evaluator, plan),
            limit: takesAll ? capacity : .max)
    }

    /// Reads records of known ids in the order given, and tests them again.
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
        start = evaluator.startPosition.map(order.key(at:))
        source = RecordSource(store, plan.access, after: nil, limit: .max)
    }

    /// What takes those fields out of the records that are looked at; nil for none.
    private static func fields(
        of query: Query<E>, _ order: RowOrder, _ needs: RowNeeds, tests: Bool, sorts: Bool
    ) -> StoredFields? {
        let places = sorts || tests && query.start != nil ? order.paths : []
        let wanted = needs.fields(and: places, tests ? query.condition.tree : nil)
        if let wanted, wanted.isEmpty { return nil }
        return StoredFields(count: E.Mapper.layout.fields.count, wanted: wanted)
    }

    private static func test(of query: Query<E>, tests: Bool) -> RecordTest {
        guard tests else { return { _ in true } }
        return query.condition.tree.compiled(fieldCount: E.Mapper.layout.fields.count)
    }

    /// The id after which a scan may start.
    private static func start(
        of query: Query<E>, _ evaluator: QueryEvaluator, _ plan: QueryPlan
    ) throws -> E.ID? {
        guard !plan.sortsInRuntime, plan.access == .scan, query.sortKeys.isEmpty,
            let components = evaluator.startComponents
        else { return nil }
        do {
            var fields = StoredValueDecoder(components)
            let id = try E.ID.decodeComponents(from: &fields)
            return id.defect == nil ? id : nil
        } catch {
            throw CRUDRepositoryError.invalidQuery(
                "Its cursor holds no id of it.", table: E.Mapper.table.name)
        }
    }

    /// The next records that match, in the order in which they are found; nil after the last. Where nothing is tested, it is the
    /// list that the store itself hands out.
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

    /// Gives each row to a body, in the order in which they are found, until it answers false.
    mutating func visit(_ body: (Row) throws -> Bool) async throws {
        while let page = try await source.nextPage() {
            let goesOn = try match(page) { place, kept, values in
                try body(Row(record: page.record(at: place, kept), values: values))
            }
            if !goesOn { return }
        }
    }

    /// Gives what is looked at of each row to a body, in the order in which they are found, until it answers false.
    mutating func visitValues(_ body: ([StoredValue]) throws -> Bool) async throws {
        while let page = try await source.nextPage() {
            if try !match(page, { try body($2) }) { return }
        }
    }

    /// Gives the rows of a page that are wanted to a body, until it answers false.
    ///
    /// - Returns: whether the body answered true to the end.
    private mutating func match(
        _ page: RecordPage<E>, _ body: (Int, MemoryRecord?, [StoredValue]) throws -> Bool
    ) throws -> Bool {
        let (test, start, order) = (test, start, order)
        var page = page
        // In one place: a second copy would take the list out of it for each record.
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

    /// The records that the query asks for, in its order.
    mutating func entities() async throws -> [E] {
        // Of what is found in no order, or beyond what is wanted, not everything is copied.
        guard !tests, !plan.sortsInRuntime, query.skipped == 0, capacity > 0 else {
            return try await collect(\.entity)
        }
        source.readsWholeSelections = plan.isAnsweredByStore || query.maximum == nil
        var entities: [E] = []
        while entities.count < capacity, let page = try await nextPage() {
            if entities.isEmpty { entities = page } else { entities += page }
        }
        return entities.count > capacity ? Array(entities.prefix(capacity)) : entities
    }

    /// What a body makes of each row that the query asks for, in the order of the query.
    mutating func collect<R>(_ body: (Row) throws -> R) async throws -> [R] {
        guard capacity > 0 else { return [] }
        source.readsWholeSelections =
            plan.isAnsweredByStore || query.maximum == nil && !plan.sortsInRuntime
        guard plan.sortsInRuntime else { return try await take(body) }
        let order = self.order
        var ranked = RankedRows<R>(capacity: capacity)
        try await visit { row in
            try ranked.insert(order.key(of: row.values), try body(row))
            return true
        }
        return ranked.result(dropping: query.skipped)
    }

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
    /// Whether the store finds what is asked for, in its order, and nothing else.
    fileprivate var isAnsweredByStore: Bool {
        guard case .selection = access else { return false }
        return remainder.isEmpty && !sortsInRuntime
    }

    /// The access from the place on at which a query starts, where the store knows the order.
    fileprivate func access(from evaluator: QueryEvaluator) -> Access {
        guard case .selection(var selection) = access, !sortsInRuntime else { return access }
        selection.after = evaluator.startPosition
        return .selection(selection)
    }

    /// Whether the access finds only what stands behind the cursor of the query.
    fileprivate func startsAtPlace<E: Entity>(_ query: Query<E>) -> Bool {
        guard query.start != nil else { return true }
        switch access {
        case .index(let scans): return scans.first?.after != nil
        case .selection: return !sortsInRuntime
        case .nothing, .ids, .scan: return false
        }
    }
}
