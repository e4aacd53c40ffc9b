public import RepositoryRuntime

/// A source of one function per entity, written by hand: the objects of a library that an app still
/// links in its last version with it, the documents of an export, or the rows of an old table.
///
/// ```swift
/// var source = RecordFunctions("objects of the old library")
/// source.add(Author.self) { oldAuthors.map { Author(id: $0.key, name: $0.fullName) } }
/// source.add(Book.self) { take in
///     for row in try oldDatabase.rows("books") { try await take(Book(row)) }
/// }
/// let report = try await Library.copy(from: SortedSource(source), to: store)
/// ```
/// The records may be in any order; ``SortedSource`` sorts them. An entity without a function has no
/// records, which ``mappingProblems(_:)`` reports.
public struct RecordFunctions: UnorderedRecordSource {
    /// Calls a closure with each record of one type. The type is erased; see `add`.
    private typealias Function =
        @Sendable (_ take: (any Entity) async throws -> Void) async throws -> Void

    /// What is read, for reports.
    public let name: String
    private let currentState: @Sendable () async throws -> String?
    private var functions: [ObjectIdentifier: Function] = [:]

    /// Creates a source without functions.
    ///
    /// - Parameters:
    ///   - name: what is read, for reports.
    ///   - state: returns a value that is different when the content is; nil if that is not known.
    public init(
        _ name: String, state: @escaping @Sendable () async throws -> String? = { nil }
    ) {
        self.name = name
        currentState = state
    }

    /// Adds the function of an entity, which calls a closure with each record.
    ///
    /// The function is called for each reading, so at least twice: for the number of the records and
    /// for the records.
    public mutating func add<E: Entity>(
        _ type: E.Type,
        _ records: @escaping @Sendable (_ take: (E) async throws -> Void) async throws -> Void
    ) {
        functions[ObjectIdentifier(type)] = { take in try await records { try await take($0) } }
    }

    /// Adds the function of an entity, which returns all records.
    public mutating func add<E: Entity>(
        _ type: E.Type, _ records: @escaping @Sendable () async throws -> [E]
    ) {
        add(type) { take in for entity in try await records() { try await take(entity) } }
    }

    /// Returns the state that the initializer was given.
    public func state() async throws -> String? { try await currentState() }

    /// Returns the entities without a function.
    public func mappingProblems(_ schema: StoreSchema) async throws -> [MappingProblem] {
        schema.entities.filter { functions[ObjectIdentifier($0)] == nil }.map { entity in
            let table = Self.table(of: entity)
            return MappingProblem(
                .missingTable, table: table.name,
                "Nothing is read for \(table.entity): the source has no function for it.")
        }
    }

    private static func table<E: Entity>(of type: E.Type) -> EntityTable { E.Mapper.table }

    /// Counts the records of a type.
    public func count<E: Entity>(_ type: E.Type) async throws -> Int {
        var count = 0
        try await forEachRecord(type) { _ in count += 1 }
        return count
    }

    /// Calls a closure with each record of a type.
    public func forEachRecord<E: Entity>(
        _ type: E.Type, _ body: (SourceRecord<E>) async throws -> Void
    ) async throws {
        guard let function = functions[ObjectIdentifier(type)] else { return }
        try await function { record in
            if let record = record as? E { try await body(.record(record)) }
        }
    }
}
