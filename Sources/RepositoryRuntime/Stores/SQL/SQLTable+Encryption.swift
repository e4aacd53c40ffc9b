extension SQLTable {
    /// Checks that a store can encrypt the fields of the table that are declared to be encrypted.
    ///
    /// - Parameter store: the kind of store, for the message.
    /// - Throws: `keyNotFound` if the store has no encryption; `unsupported` if the table is
    ///   unmanaged, or if the store must compare an encrypted value.
    package func requireEncryption(of store: String) throws {
        guard entity.hasEncryptedFields else { return }
        func refuse(_ what: String) -> CRUDRepositoryError {
            var error = CRUDRepositoryError.unsupported(what, by: store)
            error.table = name
            return error
        }
        guard entity.isManaged else {
            throw refuse("encrypted fields in the unmanaged table '\(name)'")
        }
        let compared =
            entity.key + entity.searchedFields + [entity.versionField].compactMap { $0 }
            + entity.indexes.flatMap { $0.keys.map(\.field) } + references.map(\.field)
        if let field = compared.first(where: { entity.fields[$0].isEncrypted }) {
            throw refuse(
                "the encrypted field '\(fieldName(field))' of '\(name)' in an id, an index, a search or a reference"
            )
        }
        if cipher == nil { throw CRUDRepositoryError.keysMissing(for: entity, in: store) }
    }
}
