import Foundation
import Synchronization

@testable import RepositoryRuntime

/// What was done with ``Counted`` entities: how often one was taken apart or put together, and how often two of their ids
/// were compared or one was hashed.
final class WorkCounter: Sendable {
    @TaskLocal static var current = WorkCounter()

    private let work = Atomic(0)

    var count: Int { work.load(ordering: .relaxed) }

    static func add() { current.work.add(1, ordering: .relaxed) }

    /// How much work a body is.
    static func count(_ body: () async throws -> Void) async rethrows -> Int {
        let counter = WorkCounter()
        try await $current.withValue(counter) { try await body() }
        return counter.count
    }
}

/// A number as an id that counts what is done with it.
struct CountedNumber: IdentifierValue {
    let number: Int

    var identifierString: String { number.identifierString }

    init(_ number: Int) { self.number = number }

    init?(identifierString: String) {
        guard let number = Int(identifierString: identifierString) else { return nil }
        self.number = number
    }

    func hash(into hasher: inout Hasher) {
        WorkCounter.add()
        hasher.combine(number)
    }

    static func == (left: Self, right: Self) -> Bool {
        WorkCounter.add()
        return left.number == right.number
    }

    static func identifierPrecedes(_ left: Self, _ right: Self) -> Bool {
        WorkCounter.add()
        return left.number < right.number
    }

    func encode<E: FieldEncoder>(to fields: inout E, at index: Int) throws {
        try number.encode(to: &fields, at: index)
    }

    static func decode<D: FieldDecoder>(from fields: inout D, at index: Int) throws -> Self {
        Self(try Int.decode(from: &fields, at: index))
    }
}

/// An entity that counts what is done with it.
struct Counted: Entity {
    typealias ID = EntityID<Counted, CountedNumber>
    typealias Mapper = CountedMapper

    let id: ID
    var group: Int
    var code: Int

    init(_ number: Int) {
        self.init(id: ID(CountedNumber(number)), group: number / 10, code: number)
    }

    fileprivate init(id: ID, group: Int, code: Int) {
        self.id = id
        self.group = group
        self.code = code
    }

    struct Fields: QueryFields {
        typealias QueryRoot = Counted
        let group = QueryField<Counted, Int>(1)
        let code = QueryField<Counted, Int>(2)
        init() {}
    }
}

enum CountedMapper: EntityMapper {
    static let table: EntityTable = {
        var table = EntityTable("counted", entity: "Counted")
        table.field("id", .int64, key: true)
        table.field("group", .int64)
        table.field("code", .int64)
        table.index("counted_group", ["group", "-code"])
        table.index("counted_code", ["code"], unique: true)
        return table
    }()

    static func encode<E: FieldEncoder>(_ counted: Counted, to fields: inout E) throws {
        WorkCounter.add()
        try fields.encode(counted.id, at: 0)
        try fields.encode(counted.group, at: 1)
        try fields.encode(counted.code, at: 2)
    }

    static func decode<D: FieldDecoder>(from fields: inout D) throws -> Counted {
        WorkCounter.add()
        return Counted(
            id: try fields.decode(Counted.ID.self, at: 0),
            group: try fields.decode(Int.self, at: 1), code: try fields.decode(Int.self, at: 2))
    }
}

struct CountedRepository: EntityRepository {
    typealias Model = Counted
    let context: RepositoryContext

    init(_ context: RepositoryContext) {
        self.context = context
    }
}

struct CountedSet: RepositorySet {
    static let schema = StoreSchema("CountedSet", [Counted.self])
    let context: RepositoryContext
    var all: CountedRepository { CountedRepository(context) }

    init(context: RepositoryContext) {
        self.context = context
    }
}
