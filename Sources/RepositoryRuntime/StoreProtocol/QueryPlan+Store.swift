internal import Foundation
internal import StoredSchema

extension QueryPlan {
    /// Creates the plan of a store for a query.
    ///
    /// If the store answers a selection itself, the initializer also determines whether a declared
    /// index or the id serves the query, as the runtime's planner sees it.
    ///
    /// - Parameter known: what the store planned for the query; nil to ask it.
    package init<Model: Entity>(
        _ query: Query<Model>, _ store: any EntityStore, known: QueryPlan? = nil
    ) {
        self = known ?? store.plan(query)
        guard case .selection = access, !judgement.isKnown else { return }
        let indexed = QueryPlanner(
            query.assumingRelatives(in: store),
            StoreCapabilities([.finders: .native, .indexScans: .native, .idScans: .native]),
            hashesEncrypted: true)
        let plan = indexed.plan()
        selectsFromAll = plan.isFullScan
        if selectsFromAll { missingIndex = plan.missingIndex }
        judgement.isKnown = true
    }
}

extension Query {
    /// Returns the query as it would be planned if the related records were known: with a list of
    /// one id in place of each condition on related records that are found without reading all.
    func assumingRelatives(in store: any EntityStore) -> Self {
        namesRelatives ? with(condition.tree.assumingRelatives(of: Model.self, in: store)) : self
    }
}

extension Query {
    /// Whether the query asks for only a part of the records, so that reading all of them is
    /// wasteful.
    var isBounded: Bool {
        if maximum != nil && !sortKeys.isEmpty { return true }
        let table = Model.Mapper.table
        return condition.tree.conjuncts.contains { !table.isPresence($0) }
    }
}

extension ConditionTree {
    fileprivate func assumingRelatives<E: Entity>(
        of type: E.Type, in store: any EntityStore
    ) -> ConditionTree {
        switch self {
        case .related(let related):
            guard let target = related.link.target as? any Entity.Type,
                !related.readsEverything(target, in: store)
            else { return self }
            let table = E.Mapper.table
            let paths = related.link.reference.map { [$0] } ?? table.key.map { FieldPath($0) }
            return ConditionTree.all(
                paths.map {
                    .compare($0, .equal, .sample(of: table.layout.fields[$0.field].type))
                })
        case .all(let conditions):
            return .all(conditions.map { $0.assumingRelatives(of: type, in: store) })
        case .any(let conditions):
            return .any(conditions.map { $0.assumingRelatives(of: type, in: store) })
        case .not, .constant, .compare, .compareFields, .isIn, .text, .hasElement, .invalid:
            return self
        }
    }
}

extension RelatedCondition {
    /// Whether all records of the target are read to find the matching ones.
    fileprivate func readsEverything<Target: Entity>(
        _ target: Target.Type, in store: any EntityStore
    ) -> Bool {
        QueryPlan(Query<Target>(Condition(condition), sortKeys: []), store).isFullScan
    }
}

extension StoredValue {
    /// A value that a field of this type can hold, to plan with.
    static func sample(of type: StoredType) -> StoredValue {
        switch type.structure {
        case .single(let base, _): sample(of: base.kind)
        case .list: .list([])
        case .map: .object([:])
        case .object(let layout), .composite(let layout):
            .object(
                Dictionary(
                    layout.fields.map { ($0.name, sample(of: $0.type)) },
                    uniquingKeysWith: { first, _ in first }))
        }
    }

    private static func sample(of kind: StoredBaseType.Kind) -> StoredValue {
        switch kind {
        case .bool: .bool(false)
        case .integer: .integer(0)
        case .double: .double(0)
        case .decimal: .decimal(0)
        case .date: .date(Date(timeIntervalSinceReferenceDate: 0))
        case .text: .text("")
        case .uuid: .uuid(UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)))
        case .data: .data(Data())
        }
    }
}
