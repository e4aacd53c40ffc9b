internal import RepositorySchema

/// Rules for `encrypted`.
extension Validator {
    /// Checks that a store needs no value of an encrypted field that it can compare.
    ///
    /// ```yaml
    /// author: { type: Author, encrypted: true }                   # reported: a reference
    /// revision: { type: Int, version: true, encrypted: true }     # reported: stores compare it
    /// ```
    mutating func checkEncrypted(_ field: FieldDeclaration) {
        guard field.isEncrypted, let flag = field.encrypted else { return }
        if scope.singleReference(field) != nil {
            add(
                "a reference cannot be encrypted: stores compare it with ids", at: flag.range,
                help: "remove it")
        } else if field.isExternal {
            add(
                "'encrypted' cannot be used with external data", at: flag.range,
                help: "encrypt the data in the program")
        }
        if field.version?.value == true {
            add(
                "the version cannot be encrypted: stores compare it", at: flag.range,
                help: "remove it")
        }
        if let form = field.sqliteForm {
            add(
                "'storedAs' cannot be used with an encrypted field, which is stored as bytes",
                at: form.range, help: "remove it")
        }
    }

    /// Checks that neither the id, `search` nor `softDelete` names an encrypted field, and that the
    /// stores manage its table.
    mutating func checkEncryption(of entity: EntityDeclaration) {
        let encrypted = scope.fields(of: entity).filter(\.isEncrypted)
        guard !encrypted.isEmpty else { return }
        let names = Set(encrypted.map(\.name.value))
        var uses: [(name: Located<String>, use: String)] = []
        if case .composite(let key) = entity.identity {
            uses += key.map { ($0, "cannot be a part of an id") }
        }
        uses += entity.search.map { ($0, "cannot be searched: the index has words in plain form") }
        uses += [entity.softDelete].compactMap { $0 }.map { ($0, "cannot mark deleted records") }
        for (name, use) in uses where names.contains(name.value) {
            add(
                "'\(name.value)' is encrypted and \(use)", at: name.range,
                help: "name another field")
        }
        if scope.isManaged(entity) { return }
        for field in encrypted {
            add(
                "an unmanaged table has no encrypted fields: other programs cannot read them",
                at: field.origin?.range ?? field.encrypted?.range ?? field.name.range,
                help: "remove 'encrypted', or 'manage: false'")
        }
    }
}
