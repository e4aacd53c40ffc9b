/// A table in the store description.
package struct StoredTable: Sendable, Hashable, Codable {
    /// The name of the table.
    package var name: String
    /// The fields, in the order of declaration.
    package var fields: [StoredField]
    /// The names of the fields that form the id, in order.
    package var key: [String]
    /// The name of the version field.
    package var version: String?
    /// The name of the field that marks deleted records; nil if there is none.
    package var deletion: String?
    /// The indexes, sorted by name.
    package var indexes: [StoredIndex]
    /// The checks, sorted by name; nil if there are none.
    package var checks: [StoredCheck]?

    /// Its earlier names. They are not stored.
    package var renamedFrom: EarlierNames = []

    /// What is stored: everything but the earlier names.
    private enum CodingKeys: String, CodingKey {
        case name, fields, key, version, deletion, indexes, checks
    }

    /// Describes a table.
    ///
    /// - Parameters:
    ///   - name: the name.
    ///   - fields: the fields, in the order of declaration.
    ///   - key: the names of the fields that form the id, in order.
    ///   - version: the name of the version field.
    ///   - deletion: the name of the field that marks deleted records.
    ///   - indexes: the indexes, in any order.
    ///   - checks: the checks, in any order.
    ///   - renamedFrom: its earlier names.
    package init(
        name: String, fields: [StoredField], key: [String], version: String? = nil,
        deletion: String? = nil, indexes: [StoredIndex] = [], checks: [StoredCheck] = [],
        renamedFrom: EarlierNames = []
    ) {
        self.name = name
        self.fields = fields
        self.key = key
        self.version = version
        self.deletion = deletion
        self.indexes = indexes.sorted { UTF8Order.precedes($0.name, $1.name) }
        let checks = checks.sorted { UTF8Order.precedes($0.name, $1.name) }
        self.checks = checks.isEmpty ? nil : checks
        self.renamedFrom = renamedFrom
    }

    /// Returns the field with a name.
    package func field(_ name: String) -> StoredField? {
        fields.first { $0.name == name }
    }

    /// Appends the table to the input of a fingerprint. Fields are sorted by name.
    package func write(to text: inout CanonicalText) {
        text.add(name)
        text.add(fields.sorted { UTF8Order.precedes($0.name, $1.name) }) {
            $1.write(to: &$0)
        }
        text.add(key) { $0.add($1) }
        text.add(version) { $0.add($1) }
        text.add(indexes) { $1.write(to: &$0) }
        if let checks {
            text.add("checks")
            text.add(checks) { $1.write(to: &$0) }
        }
        if let deletion {
            text.add("deletion")
            text.add(deletion)
        }
    }
}

/// A field of a table in the store description.
package struct StoredField: Sendable, Hashable, Codable {
    /// The name of the property, which is the key in a document.
    package var name: String
    /// The columns in a SQL store: one, or one for each component of a composite reference.
    package var columns: [String]
    /// The type.
    package var type: StoredShape
    /// Whether the field may be null.
    package var isOptional: Bool
    /// The constant default.
    package var defaultValue: StoredConstant?
    /// The rules for stored values.
    package var rules: StoredRules?
    /// The reference, if the field is one.
    package var reference: StoredReference?
    /// The representation of the columns, if it is not the default of the type.
    package var storedAs: String?
    /// The raw strings of the cases of the field's enum, sorted. Not included in the fingerprint.
    ///
    /// Nil if the field has no enum, or if the enum accepts unknown cases.
    package var cases: [String]?
    /// Whether the table has a column with the folded text of the field. Not included in the
    /// fingerprint.
    ///
    /// Nil if it has none, or if the store has no such columns.
    package var isFolded: Bool?

    /// Its earlier names. They are not stored.
    package var renamedFrom: EarlierNames = []
    /// The earlier names of its column. They are not stored.
    package var columnsRenamedFrom: EarlierNames = []

    /// What is stored: everything but the earlier names.
    private enum CodingKeys: String, CodingKey {
        case name, columns, type, isOptional, defaultValue, rules, reference, storedAs, cases
        case isFolded
    }

    /// Describes a field of a name, columns and type. Set the other properties afterwards.
    package init(name: String, columns: [String], type: StoredShape, isOptional: Bool = false) {
        self.name = name
        self.columns = columns
        self.type = type
        self.isOptional = isOptional
    }

    /// The representation of encrypted fields.
    package static let encrypted = "encrypted"
    /// Whether the field is encrypted.
    package var isEncrypted: Bool { storedAs == Self.encrypted }

    /// What the field has in common with a member of an embedded value.
    package var asMember: StoredMember {
        StoredMember(
            name: name, type: type, isOptional: isOptional, defaultValue: defaultValue,
            cases: cases, renamedFrom: renamedFrom)
    }

    /// Appends the field to the input of a fingerprint.
    package func write(to text: inout CanonicalText) {
        text.add(name)
        text.add(columns) { $0.add($1) }
        type.write(to: &text)
        text.add(isOptional)
        text.add(defaultValue) { $1.write(to: &$0) }
        text.add(rules) { $1.write(to: &$0) }
        text.add(reference) {
            $0.add($1.table)
            $0.add($1.onDelete)
        }
        // Appended only if present, so that fingerprints of schemas without it do not change.
        if let storedAs {
            text.add("stored as")
            text.add(storedAs)
        }
    }
}

/// The rules of a field in the store description.
package struct StoredRules: Sendable, Hashable, Codable {
    /// The minimum value, inclusive.
    package var minimum: StoredConstant?
    /// The maximum value, inclusive.
    package var maximum: StoredConstant?
    /// The minimum length.
    package var minLength: Int?
    /// The maximum length.
    package var maxLength: Int?
    /// The pattern that must match the whole string.
    package var pattern: String?

    /// Describes rules; nil if there are none.
    package init?(
        minimum: StoredConstant? = nil, maximum: StoredConstant? = nil, minLength: Int? = nil,
        maxLength: Int? = nil, pattern: String? = nil
    ) {
        self.minimum = minimum
        self.maximum = maximum
        self.minLength = minLength
        self.maxLength = maxLength
        self.pattern = pattern
        let hasBounds = minimum != nil || maximum != nil
        guard hasBounds || minLength != nil || maxLength != nil || pattern != nil else {
            return nil
        }
    }

    /// Appends the rules to the input of a fingerprint.
    package func write(to text: inout CanonicalText) {
        text.add(minimum) { $1.write(to: &$0) }
        text.add(maximum) { $1.write(to: &$0) }
        text.add(minLength)
        text.add(maxLength)
        text.add(pattern) { $0.add($1) }
    }
}

/// The reference of a field in the store description.
package struct StoredReference: Sendable, Hashable, Codable {
    /// The name of the table to which the field refers.
    package var table: String
    /// The name of the delete rule.
    package var onDelete: String

    /// The delete rule of references that stores do not enforce.
    private static let unenforced = "none"

    /// Describes a reference.
    package init(table: String, onDelete: String) {
        self.table = table
        self.onDelete = onDelete
    }

    /// Whether stores enforce the reference. An unknown rule counts as enforced.
    package var isEnforced: Bool { onDelete != Self.unenforced }
}
