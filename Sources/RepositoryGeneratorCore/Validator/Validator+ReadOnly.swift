internal import RepositorySchema

/// Rules for what is only read: `readOnly`, `computed` and `readAs`.
extension Validator {
    /// Checks an entity with `readOnly`, and what only tables of other owners have.
    ///
    /// ```yaml
    /// entity: Sale
    /// readOnly: true
    /// manage: true    # reported: nobody could store a record
    /// ```
    mutating func checkReadOnly(of entity: EntityDeclaration) {
        if let readOnly = entity.readOnly, entity.isReadOnly, let manage = entity.manage,
            manage.value
        {
            add(
                "what is only read is not created: the table has another owner",
                at: manage.range, help: "remove 'manage', or 'readOnly'",
                notes: [Diagnostic.Note("the entity is only read", at: readOnly.range)])
        }
        if case .single(let id) = entity.identity, id.isRowNumber, let readOnly = entity.readOnly,
            !readOnly.value
        {
            add(
                "records with 'id: rowid' are only read: SQLite may number the rows anew",
                at: readOnly.range, help: "remove 'readOnly', or declare another id")
        }
        for field in scope.fields(of: entity) {
            checkOnlyRead(field, of: entity)
            checkPostgreSQLForm(of: field, in: entity)
            checkReference(to: field, of: entity)
        }
    }

    /// Checks that a field that stores never write is one of a table that they do not create, and
    /// that a record can be made before the database has computed it.
    private mutating func checkOnlyRead(
        _ field: FieldDeclaration, of entity: EntityDeclaration
    ) {
        guard field.isOnlyRead else { return }
        let key = field.readAsText == nil ? "computed" : "readAs"
        let place =
            field.origin?.range ?? field.readAsText ?? field.computed?.range ?? field.name.range
        if scope.isManaged(entity) {
            add(
                "'\(key)' is for tables of another owner", at: place,
                help: "remove it, or write 'manage: false'")
        }
        if case .composite(let names) = entity.identity,
            names.contains(where: { $0.value == field.name.value })
        {
            return add(
                "'\(field.name.value)' is a part of the id, which is written", at: place,
                help: "remove '\(key)', or name another field under 'id'")
        }
        if let version = field.version, version.value {
            return add(
                "the version of a record is written with each update", at: version.range,
                help: "remove 'version', or '\(key)'")
        }
        let type = field.type.value
        if case .unknown = scope.kind(of: type) { return }
        if let readAs = field.readAsText, type.unwrapped != .base(.string) {
            add(
                "'readAs: text' is for a field of the type String, not for \(type.description)",
                at: readAs, help: "write the type as 'String?'")
        }
        guard !entity.isReadOnly, !type.isOptional else { return }
        add(
            "'\(field.name.value)' is never written, and a new record is made without it",
            at: place, help: "write the type as '\(type.description)?'")
    }

    /// Checks that no managed table has a reference to what is only read, which a database cannot
    /// enforce.
    private mutating func checkReference(
        to field: FieldDeclaration, of entity: EntityDeclaration
    ) {
        guard scope.isManaged(entity), field.deleteRule != .none,
            let target = scope.singleReference(field), target.isReadOnly
        else { return }
        add(
            "'\(target.header.name.value)' is only read, and no database checks references to it",
            at: field.place, help: "write 'onDelete: none'")
    }
}
