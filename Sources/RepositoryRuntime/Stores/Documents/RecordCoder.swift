internal import Foundation
internal import Synchronization

/// Entities to bytes and back, through the transformer of a store.
struct RecordCoder: Sendable {
    let transformer: any DataTransformer
    /// The same, where it knows mappers: asking for each record costs as much as a short field.
    private let records: (any RecordTransformer)?

    init(transformer: any DataTransformer) {
        self.transformer = transformer
        records = transformer as? any RecordTransformer
    }

    /// The entity of the bytes stored under an id, where they lie; nil where the transformer knows no mappers and may wait.
    func decodeInPlace<E: Entity>(
        _ bytes: UnsafeRawBufferPointer, _ type: E.Type, id: E.ID
    ) throws -> E? {
        guard let records else { return nil }
        do {
            return try checked(records.decodeRecord(bytes, E.Mapper.self), id)
        } catch {
            throw Self.invalid(error, type, id)
        }
    }

    /// The entity of the bytes stored under an id.
    ///
    /// - Throws: `invalidRecord` with the id, for bytes of another type too, and for those of another record.
    func decode<E: Entity>(_ data: Data, _ type: E.Type, id: E.ID) async throws -> E {
        do {
            let entity: E =
                if let records {
                    try records.decodeRecord(data, E.Mapper.self)
                } else {
                    try await transformer.decode(data: data)
                }
            return try checked(entity, id)
        } catch {
            throw Self.invalid(error, type, id)
        }
    }

    /// The same, on a thread that may wait.
    func decodeWaiting<E: Entity>(_ data: Data, _ type: E.Type, id: E.ID) throws -> E {
        if let records {
            do {
                return try checked(records.decodeRecord(data, E.Mapper.self), id)
            } catch {
                throw Self.invalid(error, type, id)
            }
        }
        return try Self.waiting { try await decode(data, type, id: id) }
    }

    /// The entity of bytes that an earlier schema wrote, on a thread that may wait.
    func decodeWaiting<E: Entity>(
        _ data: Data, _ type: E.Type, id: E.ID, as reading: EarlierReading
    ) throws -> E {
        do {
            let record: EarlierRecord<E>
            if let records {
                record = try EarlierReading.$current.withValue(reading) {
                    try records.decodeRecord(data, EarlierMapper<E>.self)
                }
            } else {
                // A task of its own has no task-local values but those that are set in it.
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

    /// The bytes of an entity, on a thread that may wait.
    ///
    /// - Throws: `invalidItem` or `unsupported` where the format cannot hold it.
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

    private func checked<E: Entity>(_ entity: E, _ id: E.ID) throws -> E {
        guard entity.id == id else {
            throw RecordDecodingError("it is the record '\(entity.id)'")
        }
        return entity
    }

    private static func invalid<E: Entity>(
        _ error: any Error, _ type: E.Type, _ id: E.ID
    ) -> CRUDRepositoryError {
        var invalid = CRUDRepositoryError.unreadable(
            error, id: id.description, table: E.Mapper.table.name)
        // An entity knows its type: bytes of any other are a damaged record.
        if invalid.code == .itemTypeMismatch { invalid.code = .invalidRecord }
        return invalid
    }

    /// Runs an asynchronous body and waits for it. Only the store's own threads come here, never one of Swift's pool,
    /// and only with a transformer of the user's own: those of the runtime do not wait for anything.
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

/// Where a task leaves what somebody waits for.
private final class WaitedResult<R: Sendable>: Sendable {
    let value = Mutex<Result<R, any Error>?>(nil)
}
