internal import Foundation
internal import Synchronization

/// Encodes and decodes entities with the transformer of a store.
///
/// The methods whose names contain `Waiting` run on a thread that may block: a user-defined
/// transformer is asynchronous.
struct RecordCoder: Sendable {
    /// The format of the records.
    let transformer: any DataTransformer
    /// The transformer, if it supports mappers. Casting it for each record would cost as much as a
    /// short field.
    private let records: (any RecordTransformer)?
    /// The name of the stored form: that of the format and of all transformers around it.
    let formatExtension: String
    /// Whether documents may be the mark of a damaged one; see ``DamagedDocument``.
    private let isWrapped: Bool
    /// The fills of the fields that documents may lack.
    let fills = FillReadings()

    /// Creates a coder for a format.
    ///
    /// - Parameters:
    ///   - transformer: The format.
    ///   - wrapped: The name of the stored form, if the driver wraps the documents.
    init(transformer: any DataTransformer, wrapped: String? = nil) {
        self.transformer = transformer
        formatExtension = wrapped ?? transformer.formatExtension
        isWrapped = wrapped != nil
        records = transformer as? any RecordTransformer
    }

    /// Decodes an entity from bytes without copying them; returns nil if the transformer does not
    /// support mappers and may therefore suspend.
    func decodeInPlace<E: Entity>(
        _ bytes: UnsafeRawBufferPointer, _ type: E.Type, id: E.ID
    ) throws -> E? {
        guard let records else { return nil }
        do {
            if isWrapped { try DamagedDocument.check(bytes) }
            if let reading = fills.reading(type) {
                return try EarlierReading.$current.withValue(reading) {
                    try checked(records.decodeRecord(bytes, EarlierMapper<E>.self).entity, id)
                }
            }
            return try checked(records.decodeRecord(bytes, E.Mapper.self), id)
        } catch {
            throw Self.invalid(error, type, id)
        }
    }

    /// Decodes the entity stored under an id.
    ///
    /// - Throws: `invalidRecord` with the id if the bytes are damaged, or contain a record of
    ///   another type or another id.
    func decode<E: Entity>(_ data: Data, _ type: E.Type, id: E.ID) async throws -> E {
        do {
            if isWrapped { try DamagedDocument.check(data) }
            let entity: E =
                if let reading = fills.reading(type) {
                    try await decoded(data, type, as: reading)
                } else if let records {
                    try records.decodeRecord(data, E.Mapper.self)
                } else {
                    try await transformer.decode(data: data)
                }
            return try checked(entity, id)
        } catch {
            throw Self.invalid(error, type, id)
        }
    }

    /// Decodes the entity stored under an id, on a thread that may block.
    func decodeWaiting<E: Entity>(_ data: Data, _ type: E.Type, id: E.ID) throws -> E {
        if let reading = fills.reading(type) {
            return try decodeWaiting(data, type, id: id, as: reading)
        }
        if let records {
            do {
                if isWrapped { try DamagedDocument.check(data) }
                return try checked(records.decodeRecord(data, E.Mapper.self), id)
            } catch {
                throw Self.invalid(error, type, id)
            }
        }
        return try Self.waiting { try await decode(data, type, id: id) }
    }

    /// Decodes an entity that an earlier schema wrote, on a thread that may block.
    func decodeWaiting<E: Entity>(
        _ data: Data, _ type: E.Type, id: E.ID, as reading: EarlierReading
    ) throws -> E {
        do {
            if isWrapped { try DamagedDocument.check(data) }
            let record: EarlierRecord<E>
            if let records {
                record = try EarlierReading.$current.withValue(reading) {
                    try records.decodeRecord(data, EarlierMapper<E>.self)
                }
            } else {
                // A detached task does not inherit task-local values.
                record = try Self.waiting { [transformer] in
                    try await EarlierReading.$current.withValue(reading) {
                        try await transformer.decode(data: data)
                    }
                }
            }
            return try checked(record.entity, id)
        } catch {
            throw Self.invalid(error, type, id)
        }
    }

    /// Returns the id that a document contains, whatever its key, on a thread that may block; nil
    /// if the document cannot be read.
    func ownID<E: Entity>(_ data: Data, _ type: E.Type) throws -> E.ID? {
        do {
            if isWrapped { try DamagedDocument.check(data) }
            let entity: E = try Self.waiting { [self] in
                if let reading = fills.reading(type) {
                    return try await decoded(data, type, as: reading)
                }
                return try await transformer.decode(data: data)
            }
            return entity.id
        } catch let error as CRUDRepositoryError where error.code == .keyNotFound {
            throw error
        } catch {
            // What is wrong with it is found by those who read the record.
            return nil
        }
    }

    /// Decodes an entity that may lack fields with fills.
    private func decoded<E: Entity>(
        _ data: Data, _ type: E.Type, as reading: EarlierReading
    ) async throws -> E {
        if let records {
            return try EarlierReading.$current.withValue(reading) {
                try records.decodeRecord(data, EarlierMapper<E>.self).entity
            }
        }
        return try await EarlierReading.$current.withValue(reading) {
            let record: EarlierRecord<E> = try await transformer.decode(data: data)
            return record.entity
        }
    }

    /// Decodes the values of a stored record without its Swift type, on a thread that may block.
    ///
    /// - Throws: ``RecordDecodingError`` if the bytes are damaged.
    func valuesWaiting(_ data: Data, _ layout: StoredRowLayout) throws -> [StoredValue] {
        if isWrapped { try DamagedDocument.check(data) }
        if let records {
            return try StoredRowLayout.$current.withValue(layout) {
                try records.decodeRecord(data, StoredRowMapper.self).values
            }
        }
        // A detached task does not inherit task-local values.
        return try Self.waiting { [transformer] in
            try await StoredRowLayout.$current.withValue(layout) {
                let row: StoredRow = try await transformer.decode(data: data)
                return row.values
            }
        }
    }

    /// Encodes an entity, on a thread that may block.
    ///
    /// - Throws: `invalidItem` or `unsupported` if the format cannot represent the entity.
    func encodeWaiting<E: Entity>(_ entity: E) throws -> Data {
        do {
            if let records { return try records.encodeRecord(entity, E.Mapper.self) }
            return try Self.waiting { [transformer] in try await transformer.encode(entity) }
        } catch {
            guard var error = TransformerErrors.encoding(error) as? CRUDRepositoryError else {
                throw error
            }
            error.id = error.id ?? entity.id.description
            error.table = error.table ?? E.Mapper.table.name
            throw error
        }
    }

    /// Encodes a chunk of external data, on a thread that may block.
    func encodeWaiting(chunk: Data) throws -> Data {
        do {
            return try Self.waiting { [transformer] in
                try await transformer.encode(StoredChunk(data: chunk))
            }
        } catch {
            throw TransformerErrors.encoding(error)
        }
    }

    /// Decodes a chunk of external data, on a thread that may block.
    ///
    /// - Throws: `invalidRecord` if the bytes are damaged.
    func decodeWaiting(chunk: Data, id: String, table: String) throws -> Data {
        do {
            if isWrapped { try DamagedDocument.check(chunk) }
            return try Self.waiting { [transformer] in
                let stored: StoredChunk = try await transformer.decode(data: chunk)
                return stored.data
            }
        } catch {
            throw CRUDRepositoryError.unreadable(error, id: id, table: table)
        }
    }

    /// Throws if the decoded entity has another id than the one it was stored under.
    private func checked<E: Entity>(_ entity: E, _ id: E.ID) throws -> E {
        guard entity.id == id else {
            throw RecordDecodingError("it is the record '\(entity.id)'")
        }
        return entity
    }

    /// Converts a decoding error to `invalidRecord` with id and table.
    private static func invalid<E: Entity>(
        _ error: any Error, _ type: E.Type, _ id: E.ID
    ) -> CRUDRepositoryError {
        var invalid = CRUDRepositoryError.unreadable(
            error, id: id.description, table: E.Mapper.table.name)
        // The table determines the type of its records. Bytes of another type are therefore a
        // damaged record.
        if invalid.code == .itemTypeMismatch { invalid.code = .invalidRecord }
        return invalid
    }

    /// Runs an asynchronous body and blocks the thread until it has ended.
    ///
    /// Only the threads of the store call this method, never a thread of Swift's pool, and only
    /// with a user-defined transformer. The transformers of the runtime never suspend.
    private static func waiting<R: Sendable>(
        _ body: @escaping @Sendable () async throws -> R
    ) throws -> R {
        let done = DispatchSemaphore(value: 0)
        let result = WaitedResult<R>()
        Task.detached {
            do {
                let value = try await body()
                result.value.withLock { $0 = .success(value) }
            } catch {
                result.value.withLock { $0 = .failure(error) }
            }
            done.signal()
        }
        done.wait()
        guard let value = result.value.withLock({ $0 }) else { throw CancellationError() }
        return try value.get()
    }
}

/// Passes the result of a task to the thread that waits for it.
private final class WaitedResult<R: Sendable>: Sendable {
    let value = Mutex<Result<R, any Error>?>(nil)
}

/// A chunk of external data as the transformer encodes it. Not every format can encode bytes that
/// have no key.
private struct StoredChunk: Codable, Sendable {
    var data: Data
}
