internal import RepositorySchema
internal import StoredSchema

/// Rules for `storedAs`.
extension Validator {
    /// Checks that the column type in `storedAs` is available for the field's type.
    ///
    /// ```yaml
    /// day: { type: Date, storedAs: { sqlite: blob } }      # reported: not a column type of Date
    /// days: { type: "[Date]", storedAs: { sqlite: text } } # reported: not a single value
    /// ```
    mutating func checkStoredForm(of field: FieldDeclaration) {
        // The parser reports a word that is not a column type at all.
        guard let form = field.sqliteForm, let wanted = StoredColumnForm(rawValue: form.value)
        else {
            return
        }
        let type = field.type.value
        guard let base = storedBase(of: type) else { return }
        let forms = base.columnForms
        guard !forms.isEmpty, !isCollection(type.unwrapped) else {
            add(
                "'storedAs' cannot be used with \(type.description)", at: form.range,
                help: scope.isReference(type)
                    ? "a reference has the form of the id that it refers to"
                    : "it is for Date, UUID and Decimal")
            return
        }
        guard forms.contains(wanted) else {
            add(
                "\(base.rawValue) has no form '\(form.value)' in SQLite", at: form.range,
                help: "choose one of: \(forms.map(\.rawValue).joined(separator: ", "))")
            return
        }
        if base == .decimal, wanted == .integer, field.scale == nil {
            add(
                "a Decimal that is stored as an integer needs a scale", at: form.range,
                help: "add 'scale': how many digits behind the point the integer holds")
        }
    }

    /// Checks that a column type of PostgreSQL belongs to a date of a table that stores do not
    /// create. Their own tables have `timestamptz`.
    ///
    /// ```yaml
    /// name: { type: String, storedAs: { postgresql: timestamp } } # reported: not a Date
    /// ```
    mutating func checkPostgreSQLForm(of field: FieldDeclaration, in entity: EntityDeclaration) {
        guard let form = field.postgreSQLForm, form.value == "timestamp" else { return }
        let type = field.type.value
        if case .unknown = scope.kind(of: type) { return }
        guard storedBase(of: type) == .date, !isCollection(type.unwrapped) else {
            add(
                "'storedAs: { postgresql: timestamp }' cannot be used with \(type.description)",
                at: form.range, help: "it is for Date")
            return
        }
        guard scope.isManaged(entity) else { return }
        add(
            "'storedAs: { postgresql: timestamp }' is for tables of another owner",
            at: form.range, help: "remove it, or write 'manage: false'")
    }

    /// Returns the base type in which a single value is stored, or nil if the type is unknown. The
    /// unknown type is reported elsewhere.
    ///
    /// For types without alternative column types, this is `String`, which has none either.
    private func storedBase(of type: TypeExpression) -> BaseType? {
        switch scope.kind(of: type) {
        case .base(let base): base
        case .scalar(let scalar): scalar.stored.value
        // These types have no alternative column types, and neither has `String`.
        case .entity, .value, .union, .enumeration: .string
        case .unknown: nil
        }
    }

    private func isCollection(_ type: TypeExpression) -> Bool {
        switch type {
        case .list, .map: true
        case .base, .named, .optional: false
        }
    }
}
