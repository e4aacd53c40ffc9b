internal import RepositorySchema

/// Rules for the decisions of fields: `fill` and `convert`.
///
/// Only what the present schema shows is checked here. Whether a decision fits a change needs the
/// last released version.
extension Validator {
    /// Checks that the value of `fill` is one of its field, and that the field is required.
    ///
    /// ```yaml
    /// pages: { type: Int, minimum: 1, fill: 0 }   # reported: less than the minimum
    /// subtitle: { type: String?, fill: none }     # reported: an optional field
    /// author: { type: Author, fill: code }
    /// ```
    mutating func checkFill(of field: FieldDeclaration) {
        guard let fill = field.fill else { return }
        if field.version?.value == true {
            add("a version begins with 1 by itself", at: fill.range, help: "remove 'fill'")
            return
        }
        if field.type.value.isOptional {
            add(
                "'fill' is for a required field: stored records without '\(field.name.value)' have "
                    + "null",
                at: fill.range,
                help: "remove the '?' behind the type, or write 'default' for new records")
            return
        }
        guard case .value(let literal) = fill.source else { return }
        checkLiteral(literal, of: field, as: .fill)
    }

    /// Checks that the value of `otherwise` is one of its field.
    ///
    /// ```yaml
    /// rating: { type: Int8, maximum: 5, convert: { value, otherwise: 6 } }   # reported
    /// ```
    mutating func checkConvert(of field: FieldDeclaration) {
        guard case .value(let literal?) = field.convert?.method else { return }
        checkLiteral(literal, of: field, as: .otherwise)
    }

    /// Checks that an id has no `otherwise`.
    mutating func checkConvert(ofID field: FieldDeclaration) {
        guard case .value(let literal?) = field.convert?.method else { return }
        add(
            "an id cannot have 'otherwise': two records would share it", at: literal.range,
            help: "remove it, or write 'convert: code'")
    }
}
