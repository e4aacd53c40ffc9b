extension EntityStore {
    /// Throws `unsupported`: the store cannot be closed.
    public func close() async throws {
        throw CRUDRepositoryError.unsupported("closing", by: name)
    }
}

extension EntityStoreWrapper {
    /// Closes the wrapped store.
    public func close() async throws { try await store.close() }
}

extension CRUDRepositoryError.Code {
    /// The store was closed before the operation began. Nothing was read or written.
    public static let storeClosed = Self(rawValue: "storeClosed")
}

extension CRUDRepositoryError {
    /// The error of every operation that begins after the store was closed. Implementers of stores
    /// throw it.
    public static var storeClosed: Self {
        Self(.storeClosed, "The store was closed. Nothing was read or written.")
    }

    /// The error of a write that waited longer for other writers than the store allows.
    package static func waited(_ limit: Duration) -> Self {
        Self(
            .databaseError,
            "The write waited longer than \(limit) for other writers of the store; nothing was changed.",
            isRetryable: true)
    }
}
