extension StoreSchema {
    /// Whether an entity has fields whose data is stored apart from the records.
    package var hasExternalData: Bool { tables.contains { !$0.externalFields.isEmpty } }

    /// Throws if an entity has external data and the store has none.
    ///
    /// - Throws: `unsupported`.
    func requireExternalData(of store: any EntityStore) throws {
        guard let table = tables.first(where: { !$0.externalFields.isEmpty }),
            let field = table.externalFields.first,
            !store.capabilities.has(.externalData)
        else { return }
        throw CRUDRepositoryError.unsupported(
            "external data, which '\(table.layout.fields[field].name)' of \(table.entity) is",
            by: store.name)
    }
}
