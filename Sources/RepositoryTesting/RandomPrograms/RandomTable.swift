internal import RepositoryRuntime

/// Random operations on the records of one table.
struct RandomTable: Sendable {
    /// An operation on single records.
    let single: @Sendable (inout SeededGenerator) -> RandomOperation
    /// Any operation that a store can be asked for.
    let any: @Sendable (inout SeededGenerator, RandomAbilities) throws -> RandomOperation
    /// All records.
    let all: RandomOperation

    /// Describes a table: where its repository is, how its ids and records are made, what its finders are asked, and
    /// which of its fields are changed in many records at once.
    init<R: EntityRepository>(
        _ repository: @escaping @Sendable (Conformance) -> R,
        id: @escaping @Sendable (inout SeededGenerator) -> R.Model.ID,
        find: [@Sendable (inout SeededGenerator) -> (index: Int, value: StoredValue)] = [],
        changes: [RandomChange<R.Model>],
        make: @escaping @Sendable (R.Model.ID, inout SeededGenerator) -> R.Model
    ) {
        let source = RandomSource(
            repository: repository, id: id, find: find, changes: changes, make: make)
        single = { source.single(&$0) }
        any = { try source.any(&$0, $1) }
        all = RandomOperation(describe: { "\(R.Model.Mapper.table.name).fetch()" }) { set in
            try await .of(repository(set).fetch())
        }
    }
}

/// Makes the operations of a table.
struct RandomSource<R: EntityRepository>: Sendable {
    let repository: @Sendable (Conformance) -> R
    let id: @Sendable (inout SeededGenerator) -> R.Model.ID
    let find: [@Sendable (inout SeededGenerator) -> (index: Int, value: StoredValue)]
    let changes: [RandomChange<R.Model>]
    let make: @Sendable (R.Model.ID, inout SeededGenerator) -> R.Model

    func any(
        _ random: inout SeededGenerator, _ abilities: RandomAbilities
    ) throws -> RandomOperation {
        switch Int.random(in: 0..<14, using: &random) {
        case 0: list(&random)
        case 1, 2: batch(&random)
        case 3 where !find.isEmpty: finder(&random)
        case 4 where abilities.updates: try updateAll(&random)
        case 5 where abilities.updates: try replace(&random)
        case 6 where abilities.policies, 7 where abilities.policies: try policy(&random)
        default: single(&random)
        }
    }

    /// Records under ids that may be there, or twice among them.
    func records(_ count: Int, _ random: inout SeededGenerator) -> [R.Model] {
        var made: [R.Model] = []
        for _ in 0..<count { made.append(make(id(&random), &random)) }
        return made
    }

    func single(_ random: inout SeededGenerator) -> RandomOperation {
        let repository = repository
        let id = id(&random)
        let entity = make(id, &random)
        return switch Int.random(in: 0..<10, using: &random) {
        case 0, 1, 2: one("create", entity) { try await .of([repository($0).create($1)]) }
        case 3: named({ "read(\(id))" }) { try await .of([repository($0).read(id)]) }
        case 4, 5: one("update", entity) { try await .of([repository($0).update($1)]) }
        case 6, 7: one("save", entity) { try await .of([repository($0).save($1)]) }
        case 8:
            named({ "delete(\(id))" }) {
                try await repository($0).delete(id)
                return .done
            }
        default: named({ "exists(\(id))" }) { .flag(try await repository($0).exists(id)) }
        }
    }

    private func list(_ random: inout SeededGenerator) -> RandomOperation {
        let repository = repository
        return switch Int.random(in: 0..<4, using: &random) {
        case 0: named({ "count()" }) { .number(try await repository($0).count()) }
        case 1:
            named({ "ids()" }) {
                .ids(try await repository($0).ids().map { .text($0.description) })
            }
        case 2: named({ "fetch()" }) { try await .of(repository($0).fetch()) }
        default:
            named({ "stream(pageSize: 2)" }) {
                try await .of(repository($0).stream(pageSize: 2).gathered())
            }
        }
    }

    private func batch(_ random: inout SeededGenerator) -> RandomOperation {
        let repository = repository
        let made = records(.random(in: 0...3, using: &random), &random)
        return switch Int.random(in: 0..<16, using: &random) {
        case 0: named({ "deleteAll()" }) { .number(try await repository($0).deleteAll()) }
        case 1..<5:
            several("deleteAll(ids:)", made.map(\.id), text: { "\($0)" }) {
                .number(try await repository($0).deleteAll(ids: $1))
            }
        case 5..<10:
            several("createAll", made, text: { try ProgramText.text($0) }) { set, entities in
                try await .ofBatch { try await .of(repository(set).createAll(entities)) }
            }
        default:
            several("saveAll", made, text: { try ProgramText.text($0) }) { set, entities in
                try await .ofBatch { try await .of(repository(set).saveAll(entities)) }
            }
        }
    }

    private func finder(_ random: inout SeededGenerator) -> RandomOperation {
        let repository = repository
        let (index, value) = random.one(of: find)(&random)
        return named({ "find(index: \(index), [\(ProgramText.text(value))])" }) {
            try await .of(repository($0).find(index: index, [value]))
        }
    }

    func one(
        _ call: String, _ entity: R.Model,
        _ run: @escaping @Sendable (Conformance, R.Model) async throws -> RandomOutcome
    ) -> RandomOperation {
        named({ "\(call)(\(try ProgramText.text(entity)))" }) { try await run($0, entity) }
    }

    /// A call on a list, which the same call on a part of the list is simpler than.
    func several<T: Sendable>(
        _ call: String, _ list: [T], text: @escaping @Sendable (T) throws -> String,
        _ run: @escaping @Sendable (Conformance, [T]) async throws -> RandomOutcome
    ) -> RandomOperation {
        var operation = named({
            "\(call)([\(try list.map { try text($0) }.joined(separator: ", "))])"
        }) { try await run($0, list) }
        operation.simpler = { list.withoutParts.map { several(call, $0, text: text, run) } }
        return operation
    }

    func named(
        _ call: @escaping @Sendable () throws -> String,
        _ run: @escaping @Sendable (Conformance) async throws -> RandomOutcome
    ) -> RandomOperation {
        RandomOperation(describe: { "\(R.Model.Mapper.table.name).\(try call())" }, run: run)
    }
}
