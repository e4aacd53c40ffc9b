internal import Foundation
internal import RealmFormat
internal import RepositoryMoving
internal import RepositoryRuntime
internal import Synchronization

/// What is read of a Realm file: its state when it was opened, or looked at again.
final class RealmContent: Sendable {
    private struct Opened {
        let state: String
        let sorted: SortedSource<RealmRecords>
    }

    private let path: String
    private let key: [UInt8]?
    private let opened = Mutex<Opened?>(nil)

    init(path: String, key: [UInt8]?) { (self.path, self.key) = (path, key) }

    private var fileName: String { path.split(separator: "/").last.map(String.init) ?? path }

    var name: String { "Realm file \(fileName)" }

    /// Reads the state of the file as it is now. If it is another one, this one is read from now on.
    func state() throws -> String {
        let database = try database()
        let state = database.state
        let text = "\(state.size) \(state.modified) \(state.topRef) \(state.version)"
        opened.withLock { opened in
            if opened?.state == text { return }
            opened = Opened(
                state: text, sorted: SortedSource(RealmRecords(database, file: fileName)))
        }
        return text
    }

    /// Returns the sorted records. The file is opened when it is first read.
    func sorted() throws -> SortedSource<RealmRecords> {
        if let opened = opened.withLock({ $0 }) { return opened.sorted }
        _ = try state()
        return try opened.withLock { $0 }?.sorted
            ?? SortedSource(RealmRecords(database(), file: fileName))
    }

    private func database() throws -> RealmDatabase {
        do {
            return try RealmDatabase(path: path, key: key)
        } catch {
            throw RealmError(error, file: fileName)
        }
    }
}

/// The records of a Realm file in the order of the file.
struct RealmRecords: UnorderedRecordSource {
    private let database: RealmDatabase
    private let fileName: String

    init(_ database: RealmDatabase, file: String) { (self.database, fileName) = (database, file) }

    var name: String { "Realm file \(fileName)" }

    func state() async throws -> String? { nil }

    func count<E: Entity>(_ type: E.Type) async throws -> Int {
        try reading {
            guard let mapping = try mapping(of: type) else { return 0 }
            guard let list = mapping.list else { return try database.count(of: mapping.type) }
            var count = 0
            try database.pass().forEach(of: mapping.type) { object in
                switch object.values[list] {
                case .list(let values), .set(let values): count += values.count
                case .dictionary(let entries): count += entries.count { $0.value != .null }
                default: break
                }
            }
            return count
        }
    }

    func forEachRecord<E: Entity>(
        _ type: E.Type, _ body: (SourceRecord<E>) async throws -> Void
    ) async throws {
        guard let mapping = try mapping(of: type) else { return }
        let reader = RealmRecordReader(mapping, database)
        var objects = try reading { try database.pass().objects(of: mapping.type) }
        do {
            while let object = try objects.next() {
                try Task.checkCancellation()
                try await reader.records(of: object) { result in
                    let record: SourceRecord<E>
                    do {
                        record = .record(try result.get().entity(E.self))
                    } catch let error as RecordDecodingError {
                        record = .failure(
                            RecordFailure(
                                table: E.Mapper.table.name, id: reader.name(of: object),
                                field: error.path.isEmpty ? nil : error.path,
                                reason: error.reason))
                    }
                    try await body(record)
                }
            }
        } catch let error as RealmFileError {
            throw RealmError(error, file: fileName)
        }
    }

    func mappingProblems(_ schema: StoreSchema) async throws -> [MappingProblem] {
        RealmMappingCheck(database, schema).problems
    }

    /// Returns how the records of an entity are made; nil if the file has none.
    private func mapping<E: Entity>(of type: E.Type) throws -> RealmMapping? {
        let table = E.Mapper.table
        return table.sources["realm"].flatMap { RealmMapping(table, $0, database) }
    }

    private func reading<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as RealmFileError {
            throw RealmError(error, file: fileName)
        }
    }
}
