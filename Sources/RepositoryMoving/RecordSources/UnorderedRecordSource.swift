public import RepositoryRuntime

/// Records that are read in any order, each once. ``SortedSource`` sorts them.
public protocol UnorderedRecordSource: Sendable {
    /// What is read, for reports. See ``RecordSource/name``.
    var name: String { get }
    /// Returns a value that is different when the content is. See ``RecordSource/state()``.
    func state() async throws -> String?
    /// Returns what does not fit. See ``RecordSource/mappingProblems(_:)``.
    func mappingProblems(_ schema: StoreSchema) async throws -> [MappingProblem]
    /// Returns the greatest ids that were given. See ``RecordSource/idCounters()``.
    func idCounters() async throws -> [String: Int64]
    /// Returns the number of records of a type, including those that cannot be read.
    func count<E: Entity>(_ type: E.Type) async throws -> Int
    /// Calls a closure with each record of a type, in any order.
    ///
    /// - Parameters:
    ///   - type: the type of the records.
    ///   - body: takes a record, or the reason why one cannot be read. Its errors end the reading
    ///     and are thrown.
    func forEachRecord<E: Entity>(
        _ type: E.Type, _ body: (SourceRecord<E>) async throws -> Void
    ) async throws
}

/// A record of a source, or the reason why it cannot be read.
public enum SourceRecord<Model: Entity>: Sendable {
    /// A record.
    case record(Model)
    /// A record that cannot be read.
    case failure(RecordFailure)
}

extension UnorderedRecordSource {
    /// Returns no counters.
    public func idCounters() async throws -> [String: Int64] { [:] }

    /// Returns no problems.
    public func mappingProblems(_ schema: StoreSchema) async throws -> [MappingProblem] { [] }
}
