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
    package static func bytes<T: Encodable>(
        of item: T, with transformer: any DataTransformer
    ) async throws -> Data {
        do {
            return try await transformer.encode(item)
        } catch {
            throw encoding(error)
        }
    }
}
