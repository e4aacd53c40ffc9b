public import Foundation
public import RepositoryMoving
public import RepositoryRuntime

/// The objects of a store of Core Data or SwiftData as records, without the framework and without the
/// classes of the app.
///
/// ```swift
/// let report = try await Library.copy(from: CoreDataFile(url), to: SQLiteStore(path: path))
/// ```
/// What each entity and field is taken from is said by `from:` in its schema, which
/// `repository-generator import coredata:Model.sqlite` writes. An object whose entity has no id of its
/// own gets a UUID (version 5) in the namespace of the store: the same one each time.
///
/// The store and its `-wal` are copied when they are first read, and the copy is read. The original is
/// never opened. Errors are ``CoreDataError``.
public struct CoreDataFile: RecordSource {
    private let records: CoreDataRecords
    private let sorted: SortedSource<CoreDataRecords>

    /// A store.
    ///
    /// - Parameters:
    ///   - url: the URL of the database.
    ///   - model: the URL of the model of the app (`.momd`, `.mom`), which is used if the store
    ///     contains none.
    public init(_ url: URL, model: URL? = nil) {
        records = CoreDataRecords(path: url.path, model: model?.path)
        sorted = SortedSource(records)
    }

    /// The name of the file: `Core Data store Model.sqlite`.
    public var name: String { records.name }

    /// Returns a text that is different when a program has written the store.
    ///
    /// - Throws: ``CoreDataError`` if the store cannot be read, for example before the first unlock of
    ///   the device.
    public func state() async throws -> String? { try records.state() }

    /// Returns what does not fit: entities and properties that nothing takes, and entities and fields
    /// that nothing fills.
    public func mappingProblems(_ schema: StoreSchema) async throws -> [MappingProblem] {
        try await records.mappingProblems(schema)
    }

    /// Returns the number of objects of the entity that a type is taken from, or of the links of its
    /// relationship.
    public func count<E: Entity>(_ type: E.Type) async throws -> Int {
        try await records.count(type)
    }

    /// Returns records after an id, in id order.
    public func page<E: Entity>(
        _ type: E.Type, after id: E.ID?, limit: Int
    ) async throws -> SourcePage<E> {
        try await sorted.page(type, after: id, limit: limit)
    }

    /// Returns the record with an id.
    public func record<E: Entity>(_ type: E.Type, id: E.ID) async throws -> E? {
        try await sorted.record(type, id: id)
    }
}
