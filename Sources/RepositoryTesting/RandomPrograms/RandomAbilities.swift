internal import RepositoryRuntime

/// What random operations ask only of a store that declares it.
struct RandomAbilities: Sendable {
    /// Whether there are transactions.
    let transactions: Bool
    /// Whether what a query asks for can be changed and replaced.
    let updates: Bool
    /// Whether a save can be told what to do where there is a record already.
    let policies: Bool

    /// What a store declares.
    init(_ capabilities: StoreCapabilities) {
        transactions = capabilities.has(.transactions)
        updates = capabilities.has(.updates)
        policies = capabilities.has(.conflictPolicies)
    }
}
