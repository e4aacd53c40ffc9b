package import Foundation

/// Reading the bytes of an item of any type, and saying what is wrong with those that are none.
package enum StoredItem {
    /// The item of its bytes.
    ///
    /// - Throws: `itemTypeMismatch` where the bytes are of the format but no `T`, otherwise `invalidRecord`; both with
    ///   the id.
    package static func decode<T: Decodable>(
        _ data: Data, id: String, with transformer: any DataTransformer
    ) async throws -> T {
        do {
            return try await transformer.decode(data: data)
        } catch let error as CRUDRepositoryError {
            throw CRUDRepositoryError.unreadable(error, id: id)
        } catch {
            // A coder of the user's own says the same of a broken file and of a value that a type refuses.
            let isWellFormed = await isWellFormed(data, transformer)
            let said = TransformerErrors.decoding(error, as: T.self) { isWellFormed }
            throw CRUDRepositoryError.unreadable(said, id: id)
        }
    }

    private static func isWellFormed(_ data: Data, _ transformer: any DataTransformer) async -> Bool
    {
        let anything: Anything? = try? await transformer.decode(data: data)
        return anything != nil
    }

    /// What decodes from every document that is of its format at all.
    private struct Anything: Decodable {
        init(from decoder: any Decoder) throws {}
    }
}

extension TransformerErrors {
    /// The bytes of an item; what a coder throws in the words of ``CRUDRepositoryError``.
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
