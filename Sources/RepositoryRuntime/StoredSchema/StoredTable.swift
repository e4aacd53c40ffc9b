/// What a table looks like in a store.
public struct StoredTable: Sendable, Hashable, Codable {
    /// The table's name.
    public var name: String
    /// Its fields, in the order declared.
    public var fields: [StoredField]
    /// The names of the fields that make the id, in order.
    public var key: [String]
    /// The name of the field that is the optimistic lock.
    public var version: String?
    /// Its indexes, by name.
    public var indexes: [StoredIndex]
    /// Its checks, by name; nil where there are none, so that the description of a table without them is what it always
    /// was.
    public var checks: [StoredCheck]?

    /// Describes a declared table.
    ///
    /// - Parameters:
    ///   - table: the table.
    ///   - schema: the schema it is part of, where the tables stand that it refers to.
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

    /// The field of this name.
    public func field(_ name: String) -> StoredField? {
        fields.first { $0.name == name }
    }

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

/// What a field of a table looks like in a store.
public struct StoredField: Sendable, Hashable, Codable {
    /// The property's name, which is the key in a document.
    public var name: String
    /// The columns in a SQL store: one, or one for each component of a composite reference.
    public var columns: [String]
    /// What is stored.
    public var type: StoredShape
    /// Whether it may be null.
    public var isOptional: Bool
    /// The constant default.
    public var defaultValue: StoredConstant?
    /// What every stored value keeps.
    public var rules: StoredRules?
    /// What it refers to.
    public var reference: StoredReference?
    /// The form of its columns, where it is not the usual one of the type.
    public var storedAs: String?
    /// The text forms of the cases of its enum, sorted; nil where it holds none, takes unknown cases, or was described
    /// by a program that did not record them. They are no part of the fingerprint.
    public var cases: [String]?

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
        // Said only where it is: the fingerprints of schemas without it stay what they were.
        if let storedAs {
            text.add("stored as")
            text.add(storedAs)
        }
    }
}

/// The rules of a stored field; see ``FieldRules``.
public struct StoredRules: Sendable, Hashable, Codable {
    /// The smallest value allowed.
    public var minimum: StoredConstant?
    /// The largest value allowed.
    public var maximum: StoredConstant?
    /// The shortest length allowed.
    public var minLength: Int?
    /// The greatest length allowed.
    public var maxLength: Int?
    /// The pattern of the whole text.
    public var pattern: String?

    /// Nil where there are no rules.
    init?(_ rules: FieldRules) {
        guard rules != FieldRules() else { return nil }
        minimum = rules.minimum.map(StoredConstant.init)
        maximum = rules.maximum.map(StoredConstant.init)
        minLength = rules.minLength
        maxLength = rules.maxLength
        pattern = rules.pattern
    }

    func write(to text: inout CanonicalText) {
        text.add(minimum) { $1.value.write(to: &$0) }
        text.add(maximum) { $1.value.write(to: &$0) }
        text.add(minLength)
        text.add(maxLength)
        text.add(pattern) { $0.add($1) }
    }
}

/// A stored field's reference; see ``TableReference``.
public struct StoredReference: Sendable, Hashable, Codable {
    /// The table referred to.
    public var table: String
    /// The rule, by name.
    public var onDelete: String

    /// Whether stores enforce the reference; a rule that this version does not know counts as enforced.
    var isEnforced: Bool { TableReference.DeleteRule(rawValue: onDelete)?.isEnforced ?? true }
}

extension StoreSchema {
    /// The table of this name.
    public func table(_ name: String) -> EntityTable? {
        tables.first { $0.name == name }
    }

    /// The columns of a field in a SQL store: one, or for a reference to a composite id
    /// `<column>_<column there>` for each component.
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
