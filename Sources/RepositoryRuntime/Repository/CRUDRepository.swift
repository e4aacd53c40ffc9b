/// Stores items of any `Codable` type by id. These four methods are all that a database has to
/// implement.
///
/// | Call | Record stored | No record stored |
/// |---|---|---|
/// | create | `recordAlreadyExists` | stored |
/// | read | returns the item | `recordNotFound` |
/// | update | replaced | `recordNotFound` |
/// | delete | deleted | `recordNotFound` |
///
/// An id is a non-empty string without U+0000. Two ids are the same if their UTF-8 bytes are. All
/// methods throw ``CRUDRepositoryError``.
public protocol CRUDRepository: Sendable {
    /// A type that can be stored, such as a struct, an array, a string or a number.
    typealias Item = Codable & Sendable
    /// The id of a record.
    typealias ItemIdentifier = String

    /// Stores a new item. Throws `recordAlreadyExists` if the id is in use.
    func create<T: Item>(id: ItemIdentifier, item: T) async throws
    /// Reads an item. Throws `recordNotFound`, or `itemTypeMismatch` if the stored item is not a
    /// `T`.
    func read<T: Item>(id: ItemIdentifier) async throws -> T
    /// Replaces an item. Throws `recordNotFound` if none is stored.
    func update<T: Item>(id: ItemIdentifier, item: T) async throws
    /// Deletes an item. Throws `recordNotFound` if none is stored.
    func delete(id: ItemIdentifier) async throws
}

/// The rules for ids of items.
package enum ItemIdentifierRules {
    /// Checks an id.
    ///
    /// - Throws: `invalidIdentifier` if the id is empty or contains U+0000.
    package static func check(_ id: String) throws(CRUDRepositoryError) {
        if id.isEmpty { throw .invalidIdentifier(id, reason: "it is empty") }
        if id.utf8.contains(0) { throw .invalidIdentifier(id, reason: "it contains U+0000") }
    }
}
