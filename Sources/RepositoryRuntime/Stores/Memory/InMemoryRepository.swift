internal import Synchronization

/// A repository that stores items in memory, for tests, previews and caches. The items are lost
/// when the repository is released.
///
/// An item is stored as its Swift value, not encoded. Nothing is lost that a format would round or
/// reject, and a read costs one dictionary lookup and a copy. An item can be read only as the type
/// as which it was stored; any other type throws `itemTypeMismatch`. In contrast, a format can
/// decode an item as another type with the same shape. Instances of classes are shared, not copied.
///
/// Copies of the struct share the same items.
public struct InMemoryRepository: CRUDRepository {
    /// The shared storage of all copies of the struct.
    private final class Storage: Sendable {
        let items = Mutex<[TextKey: any Item]>([:])
    }

    /// The items by id, behind a mutex that is held for one dictionary operation at a time.
    private let storage = Storage()

    /// Creates an empty repository.
    public init() {}

    /// Stores a new item. Throws `recordAlreadyExists` if an item with the id exists.
    public func create<T: Item>(id: ItemIdentifier, item: T) async throws {
        try ItemIdentifierRules.check(id)
        try Task.checkCancellation()
        try storage.items.withLock { items in
            guard items[TextKey(id)] == nil else {
                throw CRUDRepositoryError.recordAlreadyExists(id: id)
            }
            items[TextKey(id)] = item
        }
    }

    /// Reads an item. Throws `recordNotFound` or `itemTypeMismatch`.
    public func read<T: Item>(id: ItemIdentifier) async throws -> T {
        try ItemIdentifierRules.check(id)
        let stored = storage.items.withLock { $0[TextKey(id)] }
        guard let stored else { throw CRUDRepositoryError.recordNotFound(id: id) }
        guard let item = stored as? T, type(of: stored) == T.self else {
            throw CRUDRepositoryError(
                .itemTypeMismatch,
                "The record '\(id)' is no \(T.self): it was stored as \(type(of: stored)).", id: id)
        }
        return item
    }

    /// Replaces an item. Throws `recordNotFound` if there is none.
    public func update<T: Item>(id: ItemIdentifier, item: T) async throws {
        try ItemIdentifierRules.check(id)
        try Task.checkCancellation()
        try storage.items.withLock { items in
            guard items[TextKey(id)] != nil else {
                throw CRUDRepositoryError.recordNotFound(id: id)
            }
            items[TextKey(id)] = item
        }
    }

    /// Deletes an item. Throws `recordNotFound` if there is none.
    public func delete(id: ItemIdentifier) async throws {
        try ItemIdentifierRules.check(id)
        try Task.checkCancellation()
        try storage.items.withLock { items in
            guard items.removeValue(forKey: TextKey(id)) != nil else {
                throw CRUDRepositoryError.recordNotFound(id: id)
            }
        }
    }
}

extension InMemoryRepository: ItemListing {
    package func itemIDs() async throws -> [String] {
        storage.items.withLock { items in items.keys.map(\.text) }
    }
}
