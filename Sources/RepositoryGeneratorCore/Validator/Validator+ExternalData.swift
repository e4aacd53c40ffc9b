internal import RepositorySchema

/// Rules for `external`.
extension Validator {
    /// Checks that a field with `external` holds optional data.
    ///
    /// ```yaml
    /// cover: { type: Data, external: true }     # reported: write Data?
    /// title: { type: String?, external: true }  # reported: not data
    /// ```
    mutating func checkExternal(_ field: FieldDeclaration) {
        guard let flag = field.external, flag.value else { return }
        let type = field.type.value
        if case .unknown = scope.kind(of: type) { return }
        guard field.isExternal else {
            return add(
                "'external' is for a field of the type Data?, not for \(type.description)",
                at: flag.range, help: "remove it")
        }
        guard !type.isOptional else { return }
        add(
            "an external field is optional: a record can be stored before its data is there",
            at: field.type.range, help: "write 'Data?'")
    }

    /// Checks that neither the id nor a table that the stores do not manage has external data.
    mutating func checkExternalData(of entity: EntityDeclaration) {
        if case .composite(let names) = entity.identity {
            let fields = SchemaScope.byName(scope.fields(of: entity))
            for name in names where fields[name.value]?.isExternal == true {
                add(
                    "'\(name.value)' is external data, which cannot be a part of an id",
                    at: name.range, help: "name another field")
            }
        }
        guard entity.manage?.value == false, let manage = entity.manage else { return }
        for field in scope.fields(of: entity) where field.isExternal {
            add(
                "an unmanaged table has no external data: stores create no table for it",
                at: field.origin?.range ?? field.external?.range ?? field.name.range,
                help: "remove 'external', or 'manage: false'",
                notes: [Diagnostic.Note("'manage' is here", at: manage.range)])
        }
    }
}
