internal import Foundation
internal import RealmFormat
internal import RepositoryMoving
internal import RepositoryRuntime
internal import Synchronization

/// The records of a Realm file in the order of the file.
final class RealmRecords: UnorderedRecordSource {
    private let path: String
    private let key: [UInt8]?
    /// The file, once it was opened.
    private let opened = Mutex<RealmDatabase?>(nil)

    init(path: String, key: [UInt8]?) { (self.path, self.key) = (path, key) }

    private var fileName: String { path.split(separator: "/").last.map(String.init) ?? path }

    var name: String { "Realm file \(fileName)" }

    /// Reads the state of the file as it is now.
    func state() throws -> String? {
        try reading {
            let state = try RealmDatabase(path: path, key: key).state
            return "\(state.size) \(state.modified) \(state.topRef) \(state.version)"
        }
    }

    func count<E: Entity>(_ type: E.Type) async throws -> Int {
        try reading {
            let database = try open()
            guard let mapping = try mapping(of: type, database) else { return 0 }
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
        let database = try open()
        guard let mapping = try mapping(of: type, database) else { return }
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
        RealmMappingCheck(try open(), schema).problems
    }

    /// Opens the file when it is first read.
    private func open() throws -> RealmDatabase {
        try reading {
            try opened.withLock { opened in
                if let opened { return opened }
                let database = try RealmDatabase(path: path, key: key)
                opened = database
                return database
            }
        }
    }

    /// Returns how the records of an entity are made; nil if the file has none.
    private func mapping<E: Entity>(
        of type: E.Type, _ database: RealmDatabase
    ) throws -> RealmMapping? {
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
