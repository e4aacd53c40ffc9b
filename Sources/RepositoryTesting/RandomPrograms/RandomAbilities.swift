internal import RepositoryRuntime

/// The optional capabilities that random operations use.
struct RandomAbilities: Sendable {
    /// Whether the store has transactions.
    let transactions: Bool
    /// Whether the store can update and replace the results of a query.
    let updates: Bool
    /// Whether the store supports conflict policies.
    let policies: Bool

    /// The capabilities that a store declares.
    init(_ capabilities: StoreCapabilities) {
        transactions = capabilities.has(.transactions)
        updates = capabilities.has(.updates)
        policies = capabilities.has(.conflictPolicies)
    }
}
