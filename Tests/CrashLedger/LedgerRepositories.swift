package import RepositoryRuntime
package import RepositoryTesting

extension Conformance {
    /// The repositories that ledgers and races use, over a store opened for no more than these.
    package static func ledger(_ store: any EntityStore) -> Conformance {
        let schema = StoreSchema(
            "Ledger",
            [Hall.self, Link.self, Member.self, Note.self, Product.self, Ticket.self])
        return Conformance(context: RepositoryContext(store: store, schema: schema))
    }
}
