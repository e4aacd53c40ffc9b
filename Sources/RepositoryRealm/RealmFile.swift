public import Foundation
internal import RealmFormat
public import RepositoryMoving
public import RepositoryRuntime

/// The objects of a Realm file as records, without Realm and without the classes of the app.
///
/// ```swift
/// let report = try await Library.copy(from: RealmFile(url), to: SQLiteStore(path: path))
/// ```
/// What each entity and field is taken from is said by `from:` in its schema, which
/// `repository-generator import realm:default.realm` writes. Formats 2 to 24 are read, also encrypted
/// files. The file is never written, and what an app commits while it is read is an error.
///
/// The file is opened when it is first read. Errors are ``RealmError``.
public struct RealmFile: RecordSource {
    private let records: RealmRecords
    private let sorted: SortedSource<RealmRecords>

    /// A file.
    ///
    /// - Parameters:
    ///   - url: the URL of the file.
    ///   - key: the key of 64 bytes, if the file is encrypted.
    public init(_ url: URL, key: Data? = nil) {
        records = RealmRecords(path: url.path, key: key.map(Array.init))
        sorted = SortedSource(records)
    }

    /// The name of the file: `Realm file default.realm`.
    public var name: String { records.name }

    /// Returns a text that is different when a program has written the file.
    ///
    /// - Throws: ``RealmError`` if the file cannot be read, for example before the first unlock of
    ///   the device, or if another program has it open.
    public func state() async throws -> String? { try records.state() }

    /// Returns what does not fit: classes and properties that nothing takes, entities and fields that
    /// nothing fills, and values that are converted.
    public func mappingProblems(_ schema: StoreSchema) async throws -> [MappingProblem] {
        try await records.mappingProblems(schema)
    }

    /// Returns the number of objects of the class that an entity is taken from, or of the elements of
    /// its list.
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
