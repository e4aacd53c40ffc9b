public import Foundation

/// A transformer that changes the bytes that another transformer writes: compression, encryption.
///
/// A document store applies it to everything that it stores as a document: records, the pages of
/// indexes and the chunks of external data. Each layer receives the place of the document, so that
/// an encryption can authenticate it.
///
/// A program that calls ``DataTransformer/encode(_:)`` and ``DataTransformer/decode(data:)`` itself
/// gets the same bytes without a place. A document that was wrapped without a place cannot be read
/// at one.
public protocol WrappingTransformer: DataTransformer {
    /// The transformer whose bytes this one changes.
    var base: any DataTransformer { get }

    /// Changes bytes into the form that is stored.
    ///
    /// - Parameters:
    ///   - bytes: The bytes of ``base``.
    ///   - place: The place of the document.
    /// - Throws: ``CRUDRepositoryError``, `invalidItem` if the bytes cannot be wrapped.
    func wrap(_ bytes: Data, at place: DocumentPlace) throws -> Data

    /// Changes stored bytes back.
    ///
    /// - Parameters:
    ///   - bytes: Stored bytes.
    ///   - place: The place of the document.
    /// - Throws: ``RecordDecodingError`` for bytes that ``wrap(_:at:)`` did not return for this
    ///   place; ``CRUDRepositoryError`` with code `keyNotFound` if the key of the bytes is missing.
    func unwrap(_ bytes: Data, at place: DocumentPlace) throws -> Data

    /// The id of the key that ``wrap(_:at:)`` uses; nil for a transformer without keys.
    ///
    /// A transformer with a key must be the outermost one.
    var wrappingKey: String? { get }

    /// Returns a value that shows whether a key is the one that a store was written with.
    ///
    /// The value is stored in plain form. It must not help to find the key.
    ///
    /// - Throws: ``CRUDRepositoryError`` with code `keyNotFound`.
    func check(ofKey id: String) throws -> Data

    /// Returns the id of the key of stored bytes; nil if they are not bytes of this transformer.
    func key(of bytes: Data) -> String?
}

extension WrappingTransformer {
    /// The file name extension of the base.
    public var formatExtension: String { base.formatExtension }
    /// What the base lacks.
    public var lacking: Set<StoreCapability> { base.lacking }
    /// Nil: the transformer has no keys.
    public var wrappingKey: String? { nil }

    /// Throws `keyNotFound`: the transformer has no keys.
    public func check(ofKey id: String) throws -> Data { throw CRUDRepositoryError.keyNotFound(id) }

    /// Returns nil: the transformer has no keys.
    public func key(of bytes: Data) -> String? { nil }

    /// Encodes an item with the base, and wraps the bytes without a place.
    public func encode<T: Encodable>(_ object: T) async throws -> Data {
        try wrap(try await base.encode(object), at: .none)
    }

    /// Unwraps bytes that were wrapped without a place, and decodes an item with the base.
    ///
    /// - Throws: ``CRUDRepositoryError`` with code `invalidRecord`, `keyNotFound` or
    ///   `itemTypeMismatch`.
    public func decode<T: Decodable>(data: Data) async throws -> T {
        let bytes: Data
        do {
            bytes = try unwrap(data, at: .none)
        } catch let error as RecordDecodingError {
            throw CRUDRepositoryError(
                .invalidRecord, "The record cannot be read: \(error.description).")
        }
        return try await base.decode(data: bytes)
    }
}

/// The place of a document in a store.
public struct DocumentPlace: Sendable, Hashable {
    /// The collection: the table of an entity, or a collection of the runtime that belongs to it.
    public var collection: String
    /// The key: the text form of an id.
    public var key: String

    /// Creates a place.
    ///
    /// - Parameters:
    ///   - collection: The collection of the document.
    ///   - key: The key of the document.
    public init(collection: String, key: String) {
        self.collection = collection
        self.key = key
    }

    /// The place of bytes that are not a document of a store.
    public static let none = DocumentPlace(collection: "", key: "")
}
