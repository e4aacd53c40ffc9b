package import Foundation

/// Decoding of opaque items of any type, and classification of the errors.
package enum StoredItem {
    /// Decodes an item.
    ///
    /// - Parameters:
    ///   - data: The bytes of the item.
    ///   - id: The id of the item, for errors.
    ///   - transformer: The format of the item.
    /// - Throws: `itemTypeMismatch` if the bytes are a valid document of the format but not a `T`;
    ///   otherwise `invalidRecord`. Both errors contain the id.
    package static func decode<T: Decodable>(
        _ data: Data, id: String, with transformer: any DataTransformer
    ) async throws -> T {
        do {
            return try await transformer.decode(data: data)
        } catch let error as CRUDRepositoryError {
            throw CRUDRepositoryError.unreadable(error, id: id)
        } catch {
            // A user-defined transformer may throw the same error for a damaged document and for a
            // value that the type rejects.
            let isWellFormed = await isWellFormed(data, transformer)
            let said = TransformerErrors.decoding(error, as: T.self) { isWellFormed }
            throw CRUDRepositoryError.unreadable(said, id: id)
        }
    }

    /// Decodes an item whose bytes may be wrapped.
    ///
    /// - Parameters:
    ///   - data: The stored bytes.
    ///   - place: The place of the item; its key is the id.
    ///   - transformer: The format of the item.
    /// - Throws: `itemTypeMismatch`, `invalidRecord` or `keyNotFound`.
    package static func decode<T: Decodable>(
        _ data: Data, at place: DocumentPlace, with transformer: any DataTransformer
    ) async throws -> T {
        guard let layers = WrappingLayers(transformer) else {
            return try await decode(data, id: place.key, with: transformer)
        }
        let bytes: Data
        do {
            bytes = try layers.unwrap(data, at: place)
        } catch {
            throw CRUDRepositoryError.unreadable(error, id: place.key)
        }
        return try await decode(bytes, id: place.key, with: layers.format)
    }

    /// Returns whether the bytes are a valid document of the format.
    private static func isWellFormed(_ data: Data, _ transformer: any DataTransformer) async -> Bool
    {
        let anything: Anything? = try? await transformer.decode(data: data)
        return anything != nil
    }

    /// A type that decodes from every valid document.
    private struct Anything: Decodable {
        init(from decoder: any Decoder) throws {}
    }
}

extension TransformerErrors {
    /// Encodes an item, and converts the transformer's errors to ``CRUDRepositoryError``.
    ///
    /// - Parameters:
    ///   - item: The item.
    ///   - place: The place of the item, for a transformer that wraps the bytes.
    ///   - transformer: The format of the item.
    package static func bytes<T: Encodable>(
        of item: T, at place: DocumentPlace, with transformer: any DataTransformer
    ) async throws -> Data {
        do {
            guard let layers = WrappingLayers(transformer) else {
                return try await transformer.encode(item)
            }
            try layers.checkOrder()
            return try layers.wrap(await layers.format.encode(item), at: place)
        } catch {
            throw encoding(error)
        }
    }
}
