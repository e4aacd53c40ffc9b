internal import RepositorySchema

/// Rules for `softDelete`.
extension Validator {
    /// Checks the field of `softDelete`: it exists, is an optional date, and only a deletion sets
    /// it.
    ///
    /// ```yaml
    /// fields: { deletedAt: Date }
    /// softDelete: deletedAt   # reported: a record that is not deleted has no date
    /// ```
    mutating func checkSoftDelete(of entity: EntityDeclaration) {
        guard let name = entity.softDelete else { return }
        if case .single(let id) = entity.identity, id.name.value == name.value {
            return add(
                "'\(name.value)' is the id, which never changes", at: name.range,
                help: "name an optional date under 'softDelete'")
        }
        guard let field = SchemaScope.byName(scope.fields(of: entity))[name.value] else {
            return unknownField(name, in: entity)
        }
        if case .composite(let names) = entity.identity,
            names.contains(where: { $0.value == name.value })
        {
            return add(
                "'\(name.value)' is a part of the id, which never changes", at: name.range,
                help: "name an optional date under 'softDelete'")
        }
        guard field.type.value == .optional(.base(.date)) else {
            // An unknown type is reported at the field.
            if case .unknown = scope.kind(of: field.type.value) { return }
            let isDate = field.type.value == .base(.date)
            return add(
                "'softDelete' needs a field of the type Date?, and '\(name.value)' is of the type "
                    + "'\(field.type.value.description)'",
                at: name.range,
                help: isDate
                    ? "write the type of '\(name.value)' as Date?: a record that is not deleted has "
                        + "no date"
                    : "name an optional date, such as 'deletedAt: Date?'")
        }
        let stamps = [("onCreate", field.onCreateNow), ("onUpdate", field.onUpdateNow)]
        for case (let key, let range?) in stamps {
            add(
                "'\(name.value)' has '\(key): now', and only the deletion of a record may set it",
                at: name.range, help: "remove '\(key)'",
                notes: [Diagnostic.Note("'\(key)' is here", at: range)])
        }
        if let value = field.defaultValue {
            add(
                "'\(name.value)' has a default, so that new records would be deleted ones",
                at: name.range, help: "remove 'default'",
                notes: [Diagnostic.Note("the default is here", at: value.range)])
        }
    }
}
