internal import ConditionLanguage
internal import RepositorySchema
internal import StoredSchema

/// Writes the literals of a schema in one canonical way, so that two notations of a value are the
/// same version.
///
/// ```
/// Int        007                         7
/// Decimal    1.00, 01.0                  1
/// Double     1, 1e0                      1.0
/// Date       2024-02-29T00:00:00.000Z    2024-02-29
/// UUID       0c9a…                       "0C9A…"
/// ```
struct CanonicalLiteral {
    let scope: SchemaScope

    /// Returns a literal as YAML.
    ///
    /// - Parameters:
    ///   - literal: A literal that the validator has accepted. Anything else is kept as it is.
    ///   - type: The type of the field.
    func yaml(_ literal: Literal, as type: TypeExpression) -> String {
        switch (literal, type) {
        case (_, .optional(let wrapped)): return yaml(literal, as: wrapped)
        case (.list(let values), .list(let element)):
            return YAMLText.list(values.map { yaml($0.value, as: element) })
        case (.list(let values), _):
            return YAMLText.list(values.map { yaml($0.value, as: type) })
        case (.map(let entries), _):
            let inner = if case .map(let value) = type { value } else { type }
            // The order of a dictionary's entries has no meaning.
            let sorted = entries.sorted {
                $0.key.value.utf8.lexicographicallyPrecedes($1.key.value.utf8)
            }
            return YAMLText.mapping(
                sorted.map {
                    (YAMLText.quoted($0.key.value), yaml($0.value.value, as: inner))
                })
        case (.scalar(let text, _), _):
            guard case .base(let base) = scope.kind(of: type) else { return YAMLText.name(text) }
            let canonical = Self.text(text, as: base)
            return base.isQuotedInVersions ? YAMLText.quoted(canonical) : canonical
        }
    }

    /// Returns the canonical text of a literal of a base type, without quotes. A text that is no
    /// value of the type is returned as it is.
    static func text(_ text: String, as base: BaseType) -> String {
        switch base.stored.kind {
        case .text, .data, .bool: text
        // Adding zero converts negative zero to zero, which is how it is stored.
        case .double where base == .float: Float(text).map { "\($0 + 0)" } ?? text
        case .double: Double(text).map { "\($0 + 0)" } ?? text
        case .decimal: DecimalNotation.canonical(text) ?? text
        case .date: date(text)
        case .uuid: text.uppercased()
        case .integer: Int64(text).map { "\($0)" } ?? text
        }
    }

    /// Returns a date without its time if that is midnight, and without zeros at the end of a
    /// fraction.
    private static func date(_ text: String) -> String {
        guard DateLiteral.microseconds(text) != nil else { return text }
        var time = text.dropFirst(11).dropLast()
        if time.contains(".") {
            while time.last == "0" { time.removeLast() }
            if time.last == "." { time.removeLast() }
        }
        return text.prefix(10) + (time.isEmpty || time == "00:00:00" ? "" : "T\(time)Z")
    }
}

extension BaseType {
    /// Whether values are written with quotes in released versions.
    var isQuotedInVersions: Bool { stored.isQuotedInConditions || self == .data }
}
