internal import CoreDataFormat
internal import Foundation
internal import RepositoryMoving
internal import RepositoryRuntime
internal import Synchronization

/// The records of a store in the order of the store.
final class CoreDataRecords: UnorderedRecordSource {
    private let path: String
    private let model: String?
    /// The store, once it was copied and opened.
    private let opened = Mutex<CoreDataStore?>(nil)

    init(path: String, model: String?) { (self.path, self.model) = (path, model) }

    private var fileName: String { path.split(separator: "/").last.map(String.init) ?? path }

    var name: String { "Core Data store \(fileName)" }

    /// Reads the state of the files as it is now.
    func state() throws -> String? { try reading { try CoreDataStore.state(of: path) } }

    func count<E: Entity>(_ type: E.Type) async throws -> Int {
        try reading {
            let store = try open()
            guard let (mapping, source) = mapping(of: type, store) else { return 0 }
            guard let links = mapping.links else {
                return try mapping.covered.reduce(0) { try $0 + store.count($1) }
            }
            let reader = CoreDataRecordReader(mapping, source, store)
            var count = 0
            try Self.forEachLink(links, mapping, store, reader) { _, _, _ in count += 1 }
            return count
        }
    }

    func forEachRecord<E: Entity>(
        _ type: E.Type, _ body: (SourceRecord<E>) async throws -> Void
    ) async throws {
        let store = try open()
        guard let (mapping, source) = mapping(of: type, store) else { return }
        let reader = CoreDataRecordReader(mapping, source, store)
        do {
            if let property = mapping.links {
                let links = try Self.links(property, mapping, store)
                var last: (owner: Int, position: Int)?
                while let next = try links?.next() {
                    try Task.checkCancellation()
                    guard let link = try Self.link(next, mapping, reader, &last) else { continue }
                    try await body(
                        Self.record(link.0.description) {
                            try reader.record(owner: link.0, target: link.1, position: link.2)
                        })
                }
                return
            }
            for entity in mapping.covered {
                reader.restart()
                let cursor = try store.objects(entity, withLinks: false)
                while let object = try cursor.next() {
                    try Task.checkCancellation()
                    try await body(
                        Self.record(object.reference.description) { try reader.record(object) })
                }
            }
        } catch let error as CoreDataFileError {
            throw CoreDataError(error, file: fileName)
        }
    }

    private static func record<E: Entity>(
        _ label: String, _ read: () throws -> NamedRecord
    ) throws -> SourceRecord<E> {
        do {
            return .record(try read().entity(E.self))
        } catch let error as RecordDecodingError {
            return .failure(
                RecordFailure(
                    table: E.Mapper.table.name, id: label,
                    field: error.path.isEmpty ? nil : error.path, reason: error.reason))
        }
    }

    private static func links(
        _ property: String, _ mapping: CoreDataMapping, _ store: CoreDataStore
    ) throws -> LinkCursor? {
        for entity in mapping.covered
        where store.model.entities[entity]?.properties[property]?.isToMany == true {
            return try store.links(entity, property)
        }
        return nil
    }

    /// Returns a link with its position among those of the owner; nil if an object of it does not
    /// exist, or is of another entity.
    private static func link(
        _ next: (owner: Int, entity: String?, key: Int), _ mapping: CoreDataMapping,
        _ reader: CoreDataRecordReader, _ last: inout (owner: Int, position: Int)?
    ) throws -> (ObjectReference, ObjectReference, Int)? {
        guard let entity = next.entity, let owner = try reader.reference(next.owner),
            mapping.covered.contains(owner.entity)
        else { return nil }
        let position = last.map { $0.owner == next.owner ? $0.position + 1 : 0 } ?? 0
        last = (next.owner, position)
        return (owner, ObjectReference(entity: entity, key: next.key), position)
    }

    private static func forEachLink(
        _ property: String, _ mapping: CoreDataMapping, _ store: CoreDataStore,
        _ reader: CoreDataRecordReader, _ body: (ObjectReference, ObjectReference, Int) -> Void
    ) throws {
        let links = try links(property, mapping, store)
        var last: (owner: Int, position: Int)?
        while let next = try links?.next() {
            guard let link = try link(next, mapping, reader, &last) else { continue }
            body(link.0, link.1, link.2)
        }
    }

    func mappingProblems(_ schema: StoreSchema) async throws -> [MappingProblem] {
        try reading { try CoreDataMappingCheck(open(), schema).problems }
    }

    /// Copies and opens the store when it is first read.
    private func open() throws -> CoreDataStore {
        try reading {
            try opened.withLock { opened in
                if let opened { return opened }
                let store = try CoreDataStore(path: path, model: model)
                opened = store
                return store
            }
        }
    }

    /// Returns how the records of a type are made; nil if the store has none.
    private func mapping<E: Entity>(
        of type: E.Type, _ store: CoreDataStore
    ) -> (CoreDataMapping, TableSource)? {
        let table = E.Mapper.table
        guard let source = table.sources["coredata"] else { return nil }
        return CoreDataMapping(table, source, store).map { ($0, source) }
    }

    private func reading<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as CoreDataFileError {
            throw CoreDataError(error, file: fileName)
        }
    }
}
