/// Stores items of any `Codable` type under ids: the whole of what a database must offer.
///
/// | call | record there | not there |
/// |---|---|---|
/// | create | `recordAlreadyExists` | stored |
/// | read | the item | `recordNotFound` |
/// | update | replaced | `recordNotFound` |
/// | delete | gone | `recordNotFound` |
///
/// An id is any text that is not empty and holds no U+0000. Two ids are the same when their UTF-8 bytes are. All errors
/// are ``CRUDRepositoryError``.
public protocol CRUDRepository: Sendable {
    /// What can be stored: a struct, an array, a text, a number.
    typealias Item = Codable & Sendable
    /// The name a record is stored under.
    typealias ItemIdentifier = String

    /// Stores a new item; throws `recordAlreadyExists` when the id is taken.
    func create<T: Item>(id: ItemIdentifier, item: T) async throws
    /// Reads an item; throws `recordNotFound`, or `itemTypeMismatch` when what is stored is no `T`.
    func read<T: Item>(id: ItemIdentifier) async throws -> T
    /// Replaces an item; throws `recordNotFound` when there is none.
    func update<T: Item>(id: ItemIdentifier, item: T) async throws
    /// Deletes an item; throws `recordNotFound` when there is none.
    func delete(id: ItemIdentifier) async throws
}

/// What a text must be to name a record.
package enum ItemIdentifierRules {
    /// Checks an id.
    ///
    /// - Throws: `invalidIdentifier` when it is empty or holds U+0000.
    package static func check(_ id: String) throws(CRUDRepositoryError) {
        if id.isEmpty { throw .invalidIdentifier(id, reason: "it is empty") }
        if id.utf8.contains(0) { throw .invalidIdentifier(id, reason: "it holds U+0000") }
    }
}
