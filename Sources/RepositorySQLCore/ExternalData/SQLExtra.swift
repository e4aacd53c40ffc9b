/// What a store keeps beside its tables and is no part of the schema: indexes and columns of its own,
/// search indexes, external data.
package protocol SQLExtra {
    /// Returns whether the database has exactly what is needed.
    func areComplete() throws -> Bool
    /// Adds what is missing and drops what is not needed, inside a transaction.
    func complete() throws
}
