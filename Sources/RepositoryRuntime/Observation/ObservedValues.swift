/// Produces the record with an id, or nil while none is stored.
final class ObservedRecord<Model: Entity>: ObservedSource {
    let context: RepositoryContext
    private let id: Model.ID
    /// The previous element with its field values; nil before the first element.
    private var last: (entity: Model?, values: [StoredValue])?

    init(_ id: Model.ID, _ context: RepositoryContext) {
        self.id = id
        self.context = context
    }

    var interest: ChangeInterest {
        Model.Mapper.table.isReadOnly
            ? .everything : .record(id.description, table: Model.Mapper.table.name)
    }

    func next(after changes: GatheredChanges, _ mailbox: ChangeMailbox) async throws -> Model?? {
        try EntityPreparation.check(id)
        let stored = try await context.base.readIfThere(Model.self, id: id)
        let isHidden = context.hidesDeleted(Model.self)
        let entity = stored.flatMap { isHidden && Model.Mapper.deletion(of: $0) != nil ? nil : $0 }
        let values = try entity.map {
            try StoredValueEncoder.values(of: $0, Model.Mapper.self)
        }
        if let last, (last.entity == nil) == (entity == nil), last.values == values ?? [] {
            return nil
        }
        last = (entity, values ?? [])
        return .some(entity)
    }
}

/// Produces the number of entities of a query.
final class ObservedCount<Model: Entity>: ObservedSource {
    let context: RepositoryContext
    private let query: Query<Model>
    /// Counts the entities of a query by means of the repository.
    private let count: @Sendable (Query<Model>) async throws -> Int
    private var last: Int?

    init<Repository: ReadableRepository<Model>>(_ query: Query<Model>, _ repository: Repository) {
        context = repository.context
        self.query = query
        count = { try await repository.count($0) }
    }

    var interest: ChangeInterest { ChangeInterest(query.tables, of: context.schema) }

    func next(after changes: GatheredChanges, _ mailbox: ChangeMailbox) async throws -> Int? {
        let present = try await count(query)
        guard present != last else { return nil }
        last = present
        return present
    }
}
