extension CRUDRepositoryError {
    /// One broken rule of an item that was to be written.
    ///
    /// ``CRUDRepositoryError/violations`` lists all broken rules of a call, so that a form or the
    /// answer to an HTTP request (status 422) can show them together. It is `Codable`; its JSON has
    /// the names of the properties.
    public struct Violation: Sendable, Hashable, Codable {
        /// The position of the item in the call, starting at 0; nil if the item was not passed in
        /// the call, such as a record that `updateAll` changes.
        public var index: Int?
        /// The string form of the item's id; nil if it has none yet.
        public var id: String?
        /// The path of the field, with the names of the JSON encoding, such as `shelf.row`; nil if
        /// the rule concerns several fields.
        public var field: String?
        /// The broken rule.
        public var rule: Rule
        /// The name of the broken check; nil for other rules.
        public var constraint: String?
        /// A sentence that describes the problem. It never contains the value of the field.
        public var message: String

        /// Creates a violation.
        public init(
            index: Int? = nil, id: String? = nil, field: String? = nil, rule: Rule,
            constraint: String? = nil, message: String
        ) {
            self.index = index
            self.id = id
            self.field = field
            self.rule = rule
            self.constraint = constraint
            self.message = message
        }
    }
}

extension CRUDRepositoryError.Violation {
    /// The kind of a rule. The set is open: later versions may add rules.
    public struct Rule: RawRepresentable, Sendable, Hashable, Codable, CustomStringConvertible {
        /// The name of the rule. For a rule of the schema, it is the key in the schema.
        public let rawValue: String

        /// Creates a rule from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The name of the rule.
        public var description: String { rawValue }
    }
}

extension CRUDRepositoryError.Violation.Rule {
    /// The value is less than the declared `minimum`.
    public static let minimum = Self(rawValue: "minimum")
    /// The value is greater than the declared `maximum`.
    public static let maximum = Self(rawValue: "maximum")
    /// The value is shorter than the declared `minLength`.
    public static let minLength = Self(rawValue: "minLength")
    /// The value is longer than the declared `maxLength`.
    public static let maxLength = Self(rawValue: "maxLength")
    /// The declared `pattern` does not match the value.
    public static let pattern = Self(rawValue: "pattern")
    /// A declared check is false. ``CRUDRepositoryError/Violation/constraint`` is its name.
    public static let check = Self(rawValue: "check")
    /// The value cannot be stored: a date or decimal out of range, a number that is not finite, a
    /// string with U+0000, or a value that the format cannot represent.
    public static let storable = Self(rawValue: "storable")
    /// The id cannot be used, for example because it is empty.
    public static let id = Self(rawValue: "id")
    /// A required field is missing or null.
    public static let required = Self(rawValue: "required")
    /// The value has the wrong type.
    public static let type = Self(rawValue: "type")
    /// The entity has no field with this name.
    public static let unknown = Self(rawValue: "unknown")
    /// The caller must not set the field, such as the id or a timestamp of the repository.
    public static let forbidden = Self(rawValue: "forbidden")
}

extension CRUDRepositoryError {
    /// The number of violations whose messages ``message`` contains.
    private static var listedViolations: Int { 20 }

    /// Returns this error about the first violation, with all violations.
    ///
    /// The code, id, field and constraint stay those of this error. The message lists the others.
    ///
    /// - Parameter all: the violations, the first of which is that of this error.
    package func listing(_ all: [Violation]) -> Self {
        var error = self
        var all = all
        // The result of a merge can break a rule that the given item does not break.
        if let own = violations.first,
            !all.contains(where: {
                $0.field == own.field && $0.rule == own.rule && $0.id == own.id ?? id
            })
        {
            all.insert(own, at: 0)
        }
        if !all.isEmpty { error.violations = all }
        guard all.count > 1 else { return error }
        let shown = all.dropFirst().prefix(Self.listedViolations).map { violation in
            let item = violation.index == all[0].index ? "" : Self.item(violation)
            return "\n- \(item)\(violation.message)"
        }
        let rest = all.count - 1 - shown.count
        let number = all.count == 2 ? "1 other rule is" : "\(all.count - 1) other rules are"
        error.message += " \(number) violated:" + shown.joined()
        if rest > 0 { error.message += "\n- and \(rest) more" }
        return error
    }

    /// The part of a message that names the item of a violation.
    private static func item(_ violation: Violation) -> String {
        switch (violation.index, violation.id) {
        case (let index?, let id?): "Item \(index) ('\(id)'): "
        case (let index?, nil): "Item \(index): "
        case (nil, let id?): "'\(id)': "
        case (nil, nil): ""
        }
    }

    /// Returns the error for an item that was described by names and values, such as a patch.
    ///
    /// - Parameter violations: the violations, not empty.
    package static func invalidItem(_ violations: [Violation], table: String) -> Self {
        var error = Self(
            .invalidItem, violations.first?.message ?? "The item is not valid.",
            id: violations.first?.id, table: table, field: violations.first?.field)
        error.constraint = violations.first?.constraint
        return error.listing(violations)
    }
}
