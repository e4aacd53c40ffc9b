/// The static description of an entity's table. The generated code builds it with one statement per
/// field, and it does not change afterwards.
///
/// The value is a reference to shared storage with copy-on-write. Copying it costs one retain.
public struct EntityTable: Sendable {
    /// The shared contents. All mutation goes through `change`.
    private var storage: EntityTableStorage

    /// The name of the table.
    public var name: String { storage.contents.name }
    /// The name of the entity in Swift.
    public var entity: String { storage.contents.entity }
    /// Earlier names of the table, newest first.
    public var renamedFrom: [String] { storage.contents.renamedFrom }
    /// The fields as the mapper encodes and decodes them.
    public var layout: FieldLayout { storage.contents.layout }
    /// The attributes of each field beyond the layout, in the same order.
    public var fields: [TableField] { storage.contents.fields }
    /// The indexes of the fields that form the id, in the order of its components.
    public var key: [Int] { storage.contents.key }
    /// The declared indexes, including unique ones, in the order of declaration.
    public var indexes: [TableIndex] { storage.contents.indexes }
    /// The declared checks, in the order of declaration.
    public var checks: [TableCheck] { storage.contents.checks }
    /// The indexes of the fields that full-text searches read, in the order of `search:`.
    public var searchedFields: [Int] { storage.contents.searched }
    /// The index of the field declared with `version: true`.
    public var versionField: Int? { storage.contents.versionField }
    /// The index of the field that marks deleted records: the field declared by `softDelete:`. Nil
    /// if deleting a record removes it.
    public var deletionField: Int? { storage.contents.deletionField }
    /// How a distributed database spreads the records over its machines; nil if one machine has
    /// all of them.
    public var distribution: TableDistribution? { storage.contents.distribution }
    /// What the entity is taken from in the files of other databases: `realm`, `coredata`.
    public var sources: [String: TableSource] { storage.contents.sources }
    /// What repositories do with the dates of creation.
    var creation: CreationDates { storage.contents.creation }
    /// Whether an update depends on the stored record: on its dates of creation, or on whether it
    /// is deleted.
    var readsBeforeUpdates: Bool { storage.contents.readsBeforeUpdates }
    /// The indexes of the fields declared `external: true`, in the order of the fields. Their data
    /// is stored apart from the records.
    public var externalFields: [Int] { storage.contents.external }
    /// Whether any field is declared to ignore case.
    var hasFieldsIgnoringCase: Bool { storage.contents.hasFieldsIgnoringCase }
    /// Whether a SQL store creates and migrates the table. An unmanaged table is only verified.
    public var isManaged: Bool { storage.contents.isManaged }
    /// Whether the records are only read, such as those of a view. The table is then not managed.
    public var isReadOnly: Bool { storage.contents.isReadOnly }
    /// The indexes of the fields that SQL stores read and never write: those declared
    /// `computed: true` or `readAs: text`.
    public var onlyReadFields: [Int] { storage.contents.onlyRead }

    /// Creates a description without fields.
    ///
    /// - Parameters:
    ///   - name: the name of the table.
    ///   - entity: the name of the entity in Swift.
    ///   - renamedFrom: earlier names of the table, newest first.
    ///   - managed: whether a SQL store creates and migrates the table.
    ///   - readOnly: whether the records are only read. The table is then not managed.
    public init(
        _ name: String, entity: String, renamedFrom: [String] = [], managed: Bool = true,
        readOnly: Bool = false
    ) {
        storage = EntityTableStorage(
            EntityTableContents(
                name: name, entity: entity, renamedFrom: renamedFrom,
                layout: FieldLayout(entity, []), isManaged: managed && !readOnly,
                isReadOnly: readOnly))
    }

    /// Adds a field.
    ///
    /// - Parameters:
    ///   - name: the name of the property.
    ///   - type: the stored type.
    ///   - column: the name of the column in a SQL store; the name of the property if nil. For a
    ///     reference to a composite id, it is a prefix: the columns of the components are
    ///     `<column>_<component>`.
    ///   - form: the representation of the column in SQLite, if it is not the default of the type.
    ///     A reference has the representation of the id that it refers to.
    ///   - optional: whether the field may be null.
    ///   - value: the default value, which is read from stored records that lack the field.
    ///   - rules: the rules for every stored value, checked on write.
    ///   - reference: the table to which the field refers.
    ///   - isKey: whether the field is the id or the next component of it.
    ///   - version: whether the field is the version for optimistic locking.
    ///   - ignoringCase: whether strings are compared by simple case folding.
    ///   - sensitive: whether the value must not appear in logs, errors and descriptions.
    ///   - encrypted: whether SQL stores encrypt the value. It is then sensitive, too.
    ///   - renamedFrom: earlier names of the property, newest first.
    ///   - columnsRenamedFrom: earlier names of the column, newest first.
    public mutating func field(
        _ name: String, _ type: StoredType, column: String? = nil, storedAs form: StoredForm? = nil,
        optional: Bool = false, default value: StoredValue? = nil, rules: FieldRules = FieldRules(),
        reference: TableReference? = nil, key isKey: Bool = false, version: Bool = false,
        ignoringCase: Bool = false, sensitive: Bool = false, encrypted: Bool = false,
        renamedFrom: [String] = [], columnsRenamedFrom: [String] = []
    ) {
        let index = fields.count
        let layout = layout
        let description = FieldDescription(
            name, type, optional: optional, default: value, renamedFrom: renamedFrom,
            sensitive: sensitive || encrypted)
        change { table in
            if isKey { table.key.append(index) }
            if version { table.versionField = index }
            if ignoringCase { table.hasFieldsIgnoringCase = true }
            if type == .externalData { table.external.append(index) }
            table.layout = FieldLayout(table.entity, layout.fields + [description])
            table.fields.append(
                TableField(
                    column: column ?? name, storedAs: encrypted ? .encrypted : form, rules: rules,
                    reference: reference,
                    ignoresCase: ignoringCase, columnsRenamedFrom: columnsRenamedFrom))
        }
    }

    /// Declares the cases of the enum that the last added field contains, either directly or in a
    /// list or map.
    ///
    /// Opening a store compares them with the previously stored cases. Enums that accept unknown
    /// cases are not declared.
    ///
    /// - Parameter type: the enum.
    public mutating func cases<E: StoredEnum & CaseIterable>(_ type: E.Type) {
        cases(E.allCases.map(\.identifierString))
    }

    /// Declares the cases of the enum of the last added field by their raw strings.
    package mutating func cases(_ names: [String]?) {
        var fields = layout.fields
        guard let names, let last = fields.indices.last else { return }
        fields[last].cases = names
        change { $0.layout = FieldLayout($0.entity, fields) }
    }

    /// Adds an index. Fields are given by property name, and those of embedded values by their
    /// path, such as `shelf.room`; a leading `-` makes a field descending.
    ///
    /// - Parameters:
    ///   - name: the name of the index, unique within the schema.
    ///   - keys: the fields, in order.
    ///   - unique: whether two records cannot have the same values. Nulls never collide.
    ///   - condition: the records in the index; all records if nil.
    public mutating func index(
        _ name: String, _ keys: [String], unique: Bool = false, where condition: Condition? = nil
    ) {
        let parts: [TableIndex.Key] = keys.compactMap { key in
            let descending = key.hasPrefix("-")
            let name = descending ? String(key.dropFirst()) : key
            guard let path = FieldPath(name, in: layout) else { return nil }
            return TableIndex.Key(path: path, descending: descending)
        }
        let index = TableIndex(
            name: name, keys: parts, isUnique: unique,
            condition: condition.map { comparable($0.tree) })
        change { $0.indexes.append(index) }
    }

    /// Adds a check: a condition that every record must satisfy when it is written.
    ///
    /// ```swift
    /// let book = Book.Fields()
    /// table.check(
    ///     "dated", book.pages > 0 || book.subtitle == nil,
    ///     message: "A book has pages or is a placeholder.")
    /// ```
    ///
    /// - Parameters:
    ///   - name: the name of the check, unique within the table.
    ///   - condition: the condition. It must not refer to the version, which the store sets.
    ///   - message: the error message for a record that violates the check, as a sentence.
    public mutating func check(_ name: String, _ condition: Condition, message: String) {
        let check = TableCheck(
            name: name, condition: comparable(condition.tree), message: message)
        change { $0.checks.append(check) }
    }

    /// Changes the attributes of a field.
    mutating func update(_ name: String, _ body: (inout TableField) -> Void) {
        guard let index = layout.fields.firstIndex(where: { $0.name == name }) else { return }
        change { body(&$0.fields[index]) }
    }

    /// Declares that the database computes a field, so that stores never write it.
    ///
    /// - Parameter name: the name of a property.
    public mutating func computed(_ name: String) {
        guard let index = layout.indexByKey[name] else { return }
        change { $0.onlyRead.append(index) }
    }

    /// Declares that the values of a field's column, which may be of several types, are read as
    /// text. Stores never write the field.
    ///
    /// - Parameter name: the name of a property of type `String` or `String?`.
    public mutating func readAsText(_ name: String) {
        computed(name)
        update(name) { $0.readsAsText = true }
    }

    /// Declares that the column of a date in an unmanaged table of PostgreSQL has the type
    /// `timestamp`, which contains UTC.
    ///
    /// - Parameter name: the name of a property of type `Date` or `Date?`.
    public mutating func timestamp(_ name: String) {
        update(name) { $0.isTimestamp = true }
    }

    /// Declares the fields that full-text searches read, in the order of their significance.
    ///
    /// - Parameter names: the names of properties of type `String`, `String?` or `[String]`.
    public mutating func search(_ names: [String]) {
        let fields = names.compactMap { layout.indexByKey[$0] }
        change { $0.searched = fields }
    }

    /// Determines ``creation`` after the dates of a field were declared.
    mutating func noteCreationDates() {
        change {
            $0.creation = CreationDates($0.fields)
            $0.readsBeforeUpdates = $0.creation == .kept || $0.deletionField != nil
        }
    }

    /// Declares the field that holds the time of a record's deletion. Deleting a record then sets
    /// it, and queries leave such records out.
    ///
    /// - Parameter name: the name of a property of type `Date?`.
    public mutating func softDelete(_ name: String) {
        let field = layout.indexByKey[name]
        change {
            $0.deletionField = field
            $0.readsBeforeUpdates = true
        }
    }

    /// Applies a change, after copying the storage if it is shared.
    mutating func change(_ body: (inout EntityTableContents) -> Void) {
        if !isKnownUniquelyReferenced(&storage) { storage = EntityTableStorage(storage.contents) }
        body(&storage.contents)
    }
}

extension EntityTable: Hashable {
    /// Returns whether two descriptions are equal.
    public static func == (left: EntityTable, right: EntityTable) -> Bool {
        left.storage === right.storage || left.storage.contents == right.storage.contents
    }

    /// Hashes the contents that `==` compares.
    public func hash(into hasher: inout Hasher) { hasher.combine(storage.contents) }
}

/// The attributes of a field beyond its layout.
public struct TableField: Sendable, Hashable {
    /// The name of the column, or the prefix of the columns of a composite reference.
    public var column: String
    /// The representation of the column in SQLite, if it is not the default of the type.
    public var storedAs: StoredForm?
    /// The rules for every stored value.
    public var rules: FieldRules
    /// The table to which the field refers.
    public var reference: TableReference?
    /// Whether strings are compared by simple case folding: in conditions, sort orders, groups and
    /// indexes. Strings are stored unchanged.
    public var ignoresCase: Bool
    /// Earlier names of the column, newest first.
    public var columnsRenamedFrom: [String]
    /// What gives the field its value when a draft leaves it out; nil if the field is required,
    /// optional, or has a constant default.
    public package(set) var supply: FieldSupply?
    /// Whether the repository sets the field to the time of the creation.
    public package(set) var isCreated = false
    /// Whether the values of the column, which may be of several types, are read as text.
    public package(set) var readsAsText = false
    /// Whether the column in PostgreSQL has the type `timestamp` without a time zone.
    public package(set) var isTimestamp = false
    /// Whether the repository sets the field to the time of each update.
    public package(set) var isStamped = false
}

/// The rules for the stored values of a field. The generated code checks them on write, and so does
/// the database if it can.
public struct FieldRules: Sendable, Hashable {
    /// The minimum value, inclusive.
    public var minimum: StoredValue?
    /// The maximum value, inclusive.
    public var maximum: StoredValue?
    /// The minimum length: Unicode scalars of a string, elements of a list, or bytes of data.
    public var minLength: Int?
    /// The maximum length: Unicode scalars of a string, elements of a list, or bytes of data.
    public var maxLength: Int?
    /// A pattern that must match the whole string.
    public var pattern: String?

    /// Creates rules.
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
    /// The action on the referring record when the record to which it refers is deleted.
    public enum DeleteRule: String, Sendable, Hashable, CaseIterable {
        /// The deletion fails while the reference exists.
        case restrict
        /// The referring record is deleted too.
        case cascade
        /// The reference is set to null.
        case setNull
        /// No action. The reference is not enforced.
        case none

        /// Whether stores enforce references with this rule.
        package var isEnforced: Bool { self != .none }
    }

    /// The name of the table to which the field refers.
    public var table: String
    /// The delete rule.
    public var onDelete: DeleteRule

    /// Whether stores enforce the reference. Every rule except `none` requires that the target
    /// record exists.
    package var isEnforced: Bool { onDelete.isEnforced }

    /// Creates a reference to `table`.
    public init(_ table: String, onDelete: DeleteRule = .restrict) {
        self.table = table
        self.onDelete = onDelete
    }
}

/// A declared index.
public struct TableIndex: Sendable, Hashable {
    /// One field of an index.
    public struct Key: Sendable, Hashable {
        /// The path of the field: one of the entity, or one inside an embedded value. A missing
        /// value has null there.
        public var path: FieldPath
        /// Whether the order is descending.
        public var descending: Bool

        /// The index of the entity's own field in the layout.
        public var field: Int { path.field }

        /// Creates the part of an index that is a field of the entity itself.
        init(field: Int, descending: Bool) {
            self.init(path: FieldPath(field), descending: descending)
        }

        /// Creates a part of an index.
        init(path: FieldPath, descending: Bool) {
            self.path = path
            self.descending = descending
        }
    }

    /// The name of the index, unique within the schema.
    public var name: String
    /// The fields, in order.
    public var keys: [Key]
    /// Whether two records cannot have the same values. Nulls never collide.
    public var isUnique: Bool
    /// The records in the index; all records if nil. Scans of the index do not find other records,
    /// and uniqueness does not apply to them.
    public var condition: ConditionTree?
}
