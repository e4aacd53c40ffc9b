/// The static description of an entity's table. Generated, one statement for each field, and never changed after.
public struct EntityTable: Sendable {
    private var storage: EntityTableStorage

    /// The table's name.
    public var name: String { storage.contents.name }
    /// The entity's name in Swift.
    public var entity: String { storage.contents.entity }
    /// Earlier names of the table, newest first.
    public var renamedFrom: [String] { storage.contents.renamedFrom }
    /// The fields as the mapper sees them.
    public var layout: FieldLayout { storage.contents.layout }
    /// What a table knows of each field beyond the layout, in the same order.
    public var fields: [TableField] { storage.contents.fields }
    /// The indexes of the fields that make the id, in the order of its components.
    public var key: [Int] { storage.contents.key }
    /// The declared indexes, unique ones included, in the order declared.
    public var indexes: [TableIndex] { storage.contents.indexes }
    /// The declared checks, in the order declared.
    public var checks: [TableCheck] { storage.contents.checks }
    /// The index of the field declared `version: true`.
    public var versionField: Int? { storage.contents.versionField }
    /// Whether there is a field that is declared to ignore case.
    var hasFieldsIgnoringCase: Bool { storage.contents.hasFieldsIgnoringCase }
    /// Whether a SQL store creates and changes the table. One that is somebody else's is only verified.
    public var isManaged: Bool { storage.contents.isManaged }

    /// Starts a description.
    ///
    /// - Parameters:
    ///   - name: the table's name.
    ///   - entity: the entity's name in Swift.
    ///   - renamedFrom: earlier names of the table, newest first.
    ///   - managed: whether a SQL store creates and changes the table.
    public init(
        _ name: String, entity: String, renamedFrom: [String] = [], managed: Bool = true
    ) {
        storage = EntityTableStorage(
            EntityTableContents(
                name: name, entity: entity, renamedFrom: renamedFrom,
                layout: FieldLayout(entity, []), isManaged: managed))
    }

    /// Adds a field.
    ///
    /// - Parameters:
    ///   - name: the property's name.
    ///   - type: what is stored.
    ///   - column: the column's name in a SQL store; the property's name when nil. For a reference to a composite id
    ///     it is the prefix: component columns are `<column>_<component>`.
    ///   - form: the form of the column in SQLite, where it is not the usual one of the type. A reference has that of
    ///     the id that it refers to.
    ///   - optional: whether it may be null.
    ///   - value: the constant that a stored record which lacks the field reads.
    ///   - rules: what every stored value keeps, checked on write.
    ///   - reference: the table it refers to.
    ///   - isKey: whether it is the id, or the next component of it.
    ///   - version: whether it is the optimistic lock.
    ///   - ignoringCase: whether its texts are compared by simple case folding.
    ///   - sensitive: whether its value must never stand in a log, an error or a description.
    ///   - renamedFrom: earlier names of the property, newest first.
    ///   - columnsRenamedFrom: earlier names of the column, newest first.
    public mutating func field(
        _ name: String, _ type: StoredType, column: String? = nil, storedAs form: StoredForm? = nil,
        optional: Bool = false, default value: StoredValue? = nil, rules: FieldRules = FieldRules(),
        reference: TableReference? = nil, key isKey: Bool = false, version: Bool = false,
        ignoringCase: Bool = false, sensitive: Bool = false, renamedFrom: [String] = [],
        columnsRenamedFrom: [String] = []
    ) {
        let index = fields.count
        let layout = layout
        let description = FieldDescription(
            name, type, optional: optional, default: value, renamedFrom: renamedFrom,
            sensitive: sensitive)
        change { table in
            if isKey { table.key.append(index) }
            if version { table.versionField = index }
            if ignoringCase { table.hasFieldsIgnoringCase = true }
            table.layout = FieldLayout(table.entity, layout.fields + [description])
            table.fields.append(
                TableField(
                    column: column ?? name, storedAs: form, rules: rules, reference: reference,
                    ignoresCase: ignoringCase, columnsRenamedFrom: columnsRenamedFrom))
        }
    }

    /// Names the cases of the enum that the field which was added last holds, alone or in a list or map.
    ///
    /// Opening compares them with those that were stored before. An enum that takes unknown cases is not named.
    ///
    /// - Parameter type: the enum.
    public mutating func cases<E: StoredEnum & CaseIterable>(_ type: E.Type) {
        cases(E.allCases.map(\.identifierText))
    }

    /// Names the cases of the enum of the field that was added last, by their text forms.
    package mutating func cases(_ names: [String]?) {
        var fields = layout.fields
        guard let names, let last = fields.indices.last else { return }
        fields[last].cases = names
        change { $0.layout = FieldLayout($0.entity, fields) }
    }

    /// Adds an index over fields named by property; a leading `-` makes a field descending.
    ///
    /// - Parameters:
    ///   - name: the index's name, unique within the set.
    ///   - keys: its fields, in order.
    ///   - unique: whether two records may not share its values; nulls never collide.
    ///   - condition: which records it covers; all of them when nil.
    public mutating func index(
        _ name: String, _ keys: [String], unique: Bool = false, where condition: Condition? = nil
    ) {
        let parts: [TableIndex.Key] = keys.compactMap { key in
            let descending = key.hasPrefix("-")
            let name = descending ? String(key.dropFirst()) : key
            guard let field = layout.indexByKey[name] else { return nil }
            return TableIndex.Key(field: field, descending: descending)
        }
        let index = TableIndex(
            name: name, keys: parts, isUnique: unique,
            condition: condition.map { comparable($0.tree) })
        change { $0.indexes.append(index) }
    }

    /// Adds a check: a condition that every record keeps when it is written.
    ///
    /// ```swift
    /// let book = Book.Fields()
    /// table.check(
    ///     "dated", book.pages > 0 || book.subtitle == nil,
    ///     message: "A book has pages or is a placeholder.")
    /// ```
    /// - Parameters:
    ///   - name: the check's name, unique within the table.
    ///   - condition: what holds of every record. It does not name the version, which the store sets.
    ///   - message: what is wrong with a record of which it does not hold, as a sentence.
    public mutating func check(_ name: String, _ condition: Condition, message: String) {
        let check = TableCheck(
            name: name, condition: comparable(condition.tree), message: message)
        change { $0.checks.append(check) }
    }

    private mutating func change(_ body: (inout EntityTableContents) -> Void) {
        if !isKnownUniquelyReferenced(&storage) { storage = EntityTableStorage(storage.contents) }
        body(&storage.contents)
    }
}

extension EntityTable: Hashable {
    /// Whether the two say the same.
    public static func == (left: EntityTable, right: EntityTable) -> Bool {
        left.storage === right.storage || left.storage.contents == right.storage.contents
    }

    /// Feeds what `==` compares.
    public func hash(into hasher: inout Hasher) { hasher.combine(storage.contents) }
}

/// What a table knows of a field beyond its layout.
public struct TableField: Sendable, Hashable {
    /// The column's name, or the prefix of the columns of a composite reference.
    public var column: String
    /// The form of the column in SQLite, where it is not the usual one of the type.
    public var storedAs: StoredForm?
    /// What every stored value keeps.
    public var rules: FieldRules
    /// The table it refers to.
    public var reference: TableReference?
    /// Whether its texts are compared by simple case folding: in conditions, orders, groups and indexes. They are stored as
    /// they are written.
    public var ignoresCase: Bool
    /// Earlier names of the column, newest first.
    public var columnsRenamedFrom: [String]
}

/// What every stored value of a field keeps; checked by the generated code on write and by a database that can.
public struct FieldRules: Sendable, Hashable {
    /// The smallest value allowed.
    public var minimum: StoredValue?
    /// The largest value allowed.
    public var maximum: StoredValue?
    /// The fewest Unicode scalars of a text, elements of a list, bytes of data.
    public var minLength: Int?
    /// The most Unicode scalars of a text, elements of a list, bytes of data.
    public var maxLength: Int?
    /// A pattern that the whole text matches.
    public var pattern: String?

    /// Makes rules.
    public init(
        minimum: StoredValue? = nil, maximum: StoredValue? = nil, minLength: Int? = nil,
        maxLength: Int? = nil, pattern: String? = nil
    ) {
        self.minimum = minimum
        self.maximum = maximum
        self.minLength = minLength
        self.maxLength = maxLength
        self.pattern = pattern
    }
}

/// A reference from a field to an entity.
public struct TableReference: Sendable, Hashable {
    /// What happens to the record when the one it refers to is deleted.
    public enum DeleteRule: String, Sendable, Hashable, CaseIterable {
        /// The other record cannot be deleted.
        case restrict
        /// This record is deleted too.
        case cascade
        /// This reference becomes null.
        case setNull
        /// Nothing; the reference is not enforced.
        case none

        /// Whether stores enforce references of this rule.
        package var isEnforced: Bool { self != .none }
    }

    /// The table referred to.
    public var table: String
    /// The rule.
    public var onDelete: DeleteRule

    /// Whether stores enforce the reference: every rule but `none` asks for the record referred to.
    package var isEnforced: Bool { onDelete.isEnforced }

    /// Makes a reference to `table`.
    public init(_ table: String, onDelete: DeleteRule = .restrict) {
        self.table = table
        self.onDelete = onDelete
    }
}

/// A declared index.
public struct TableIndex: Sendable, Hashable {
    /// One field of an index.
    public struct Key: Sendable, Hashable {
        /// The field's index in the layout.
        public var field: Int
        /// Whether larger values come first.
        public var descending: Bool
    }

    /// The index's name, unique within the set.
    public var name: String
    /// Its fields, in order.
    public var keys: [Key]
    /// Whether two records may not share its values; nulls never collide.
    public var isUnique: Bool
    /// Which records it covers; all of them when nil. A record outside is not found by it and collides with nobody.
    public var condition: ConditionTree?
}
