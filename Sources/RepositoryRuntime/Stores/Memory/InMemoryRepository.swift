internal import Synchronization

/// Keeps items in memory, for tests, previews and caches; they are gone with the repository.
///
/// An item is kept as the value it is, not as bytes: nothing is lost that a format would round or
/// refuse, and a read costs a look-up and a copy. So an item reads only as the type that it was
/// stored as; any other is `itemTypeMismatch`. (A format would also read it as a type of like
/// shape: who counts on that is told here.) Items that are classes are shared, not copied.
///
/// Copies of the struct are one repository.
public struct InMemoryRepository: CRUDRepository {
    private final class Storage: Sendable {
        let items = Mutex<[TextKey: any Item]>([:])
    }

    private let storage = Storage()

    /// Makes an empty repository.
    public init() {}

    /// Stores a new item; throws `recordAlreadyExists` when the id is taken.
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

    /// Reads an item; throws `recordNotFound`, `itemTypeMismatch`.
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

    /// Replaces an item; throws `recordNotFound` when there is none.
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

    /// Deletes an item; throws `recordNotFound` when there is none.
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
