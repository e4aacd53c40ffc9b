/// A table in the store description.
public struct StoredTable: Sendable, Hashable, Codable {
    /// The name of the table.
    public var name: String
    /// The fields, in the order of declaration.
    public var fields: [StoredField]
    /// The names of the fields that form the id, in order.
    public var key: [String]
    /// The name of the version field.
    public var version: String?
    /// The indexes, sorted by name.
    public var indexes: [StoredIndex]
    /// The checks, sorted by name; nil if there are none, so that the description and fingerprint
    /// of such a table remain the same as in earlier versions.
    public var checks: [StoredCheck]?

    /// Describes a declared table.
    ///
    /// - Parameters:
    ///   - table: the table.
    ///   - schema: the schema to which the table belongs, which also contains the targets of its
    ///     references.
    public init(_ table: EntityTable, in schema: StoreSchema) {
        let names = table.layout.fields.map(\.name)
        name = table.name
        fields = table.fields.indices.map { StoredField(table, $0, in: schema) }
        key = table.key.map { names[$0] }
        version = table.versionField.map { names[$0] }
        indexes = table.indexes.map { StoredIndex($0, table) }
            .sorted { String.identifierPrecedes($0.name, $1.name) }
        let checks = table.checks.map { StoredCheck($0, layout: table.layout) }
            .sorted { String.identifierPrecedes($0.name, $1.name) }
        self.checks = checks.isEmpty ? nil : checks
    }

    /// Returns the field with a name.
    public func field(_ name: String) -> StoredField? {
        fields.first { $0.name == name }
    }

    /// Appends the table to the input of a fingerprint. Fields are sorted by name.
    func write(to text: inout CanonicalText) {
        text.add(name)
        text.add(fields.sorted { String.identifierPrecedes($0.name, $1.name) }) {
            $1.write(to: &$0)
        }
        text.add(key) { $0.add($1) }
        text.add(version) { $0.add($1) }
        text.add(indexes) { $1.write(to: &$0) }
        if let checks {
            text.add("checks")
            text.add(checks) { $1.write(to: &$0) }
        }
    }
}

/// A field of a table in the store description.
public struct StoredField: Sendable, Hashable, Codable {
    /// The name of the property, which is the key in a document.
    public var name: String
    /// The columns in a SQL store: one, or one for each component of a composite reference.
    public var columns: [String]
    /// The type.
    public var type: StoredShape
    /// Whether the field may be null.
    public var isOptional: Bool
    /// The constant default.
    public var defaultValue: StoredConstant?
    /// The rules for stored values.
    public var rules: StoredRules?
    /// The reference, if the field is one.
    public var reference: StoredReference?
    /// The representation of the columns, if it is not the default of the type.
    public var storedAs: String?
    /// The raw strings of the cases of the field's enum, sorted. Not included in the fingerprint.
    ///
    /// Nil if the field has no enum, if the enum accepts unknown cases, or if the description was
    /// written by a version of the library that did not record cases.
    public var cases: [String]?

    /// Describes the declared field with an index.
    init(_ table: EntityTable, _ index: Int, in schema: StoreSchema) {
        let (description, field) = (table.layout.fields[index], table.fields[index])
        name = description.name
        columns = schema.columns(of: index, in: table)
        type = StoredShape(description.type)
        isOptional = description.isOptional
        defaultValue = description.defaultValue.map(StoredConstant.init)
        rules = StoredRules(field.rules)
        reference = field.reference.map {
            StoredReference(table: $0.table, onDelete: $0.onDelete.rawValue)
        }
        storedAs = field.storedAs?.rawValue
        cases = description.cases?.sorted(by: String.identifierPrecedes)
    }

    /// Appends the field to the input of a fingerprint.
    func write(to text: inout CanonicalText) {
        text.add(name)
        text.add(columns) { $0.add($1) }
        type.write(to: &text)
        text.add(isOptional)
        text.add(defaultValue) { $1.value.write(to: &$0) }
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

/// The rules of a field in the store description; see ``FieldRules``.
public struct StoredRules: Sendable, Hashable, Codable {
    /// The minimum value, inclusive.
    public var minimum: StoredConstant?
    /// The maximum value, inclusive.
    public var maximum: StoredConstant?
    /// The minimum length.
    public var minLength: Int?
    /// The maximum length.
    public var maxLength: Int?
    /// The pattern that must match the whole string.
    public var pattern: String?

    /// Describes rules; nil if there are none.
    init?(_ rules: FieldRules) {
        guard rules != FieldRules() else { return nil }
        minimum = rules.minimum.map(StoredConstant.init)
        maximum = rules.maximum.map(StoredConstant.init)
        minLength = rules.minLength
        maxLength = rules.maxLength
        pattern = rules.pattern
    }

    /// Appends the rules to the input of a fingerprint.
    func write(to text: inout CanonicalText) {
        text.add(minimum) { $1.value.write(to: &$0) }
        text.add(maximum) { $1.value.write(to: &$0) }
        text.add(minLength)
        text.add(maxLength)
        text.add(pattern) { $0.add($1) }
    }
}

/// The reference of a field in the store description; see ``TableReference``.
public struct StoredReference: Sendable, Hashable, Codable {
    /// The name of the table to which the field refers.
    public var table: String
    /// The name of the delete rule.
    public var onDelete: String

    /// Whether stores enforce the reference. An unknown rule counts as enforced.
    var isEnforced: Bool { TableReference.DeleteRule(rawValue: onDelete)?.isEnforced ?? true }
}

extension StoreSchema {
    /// Returns the table with a name.
    public func table(_ name: String) -> EntityTable? {
        tables.first { $0.name == name }
    }

    /// Returns the columns of a field in a SQL store: one, or `<column>_<target column>` for each
    /// component of a reference to a composite id.
    public func columns(of index: Int, in table: EntityTable) -> [String] {
        let column = table.fields[index].column
        guard case .composite(let layout) = table.layout.fields[index].type else { return [column] }
        guard let target = table.fields[index].reference.flatMap({ self.table($0.table) }),
            target.key.count == layout.fields.count
        else {
            return layout.fields.map { "\(column)_\($0.name)" }
        }
        return target.key.map { "\(column)_\(target.fields[$0].column)" }
    }
}
