package import StoredSchema

/// The scope of conditions on stored data: what the description of a store says about its tables.
///
/// ```swift
/// let scope = StoredScope(description.tables)
/// let books = try scope.context(of: "books")
/// var checker = ConditionChecker(books)
/// let condition = checker.check("pages > 300 && author.name == 'Le Guin'")
/// ```
///
/// Names are those of the schema: a field `author` that refers to a record has the stored name
/// `authorID`. The description does not contain relations; a program that knows them adds them.
package struct StoredScope {
    /// A relation of a table.
    package struct Relation: Hashable, Sendable {
        /// The name.
        package var name: String
        /// The name of the table with the related records.
        package var table: String
        /// Whether the relation leads through a third table.
        package var isJoined: Bool

        /// Describes a relation.
        package init(_ name: String, to table: String, isJoined: Bool = false) {
            self.name = name
            self.table = table
            self.isJoined = isJoined
        }
    }

    /// A field of a table, or a member of an embedded value.
    package struct Field: Hashable, Sendable {
        /// The name in conditions.
        package var name: String
        /// The stored name.
        package var property: String
        /// The type.
        package var type: FieldType
        /// Whether the field is encrypted.
        var isEncrypted = false
    }

    /// The type of a field.
    package struct FieldType: Hashable, Sendable {
        /// The type of the values.
        package var shape: StoredShape
        /// Whether values may be null.
        package var isOptional = false
        /// The raw strings of the cases, for an enum.
        package var cases: [String]?
        /// The name of the table whose ids the values are; the shape is then not used.
        package var table: String?
    }

    /// The tables by name.
    private let tables: [String: StoredTable]
    /// The relations by the name of their table.
    private let relations: [String: [Relation]]

    /// Creates a scope.
    ///
    /// - Parameters:
    ///   - tables: the tables of the description.
    ///   - relations: the relations, by the name of the table that has them.
    package init(_ tables: [StoredTable], relations: [String: [Relation]] = [:]) {
        self.tables = Dictionary(
            tables.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        self.relations = relations
    }

    /// Returns the context of the conditions on the records of a table; nil if there is no such
    /// table.
    package func context(of table: String) -> ConditionContext<StoredScope>? {
        tables[table].map { ConditionContext($0, scope: self, use: .input) }
    }
}

extension StoredScope: ConditionScope {
    package func conditionKind(of type: FieldType) -> ConditionKind<StoredScope> {
        if let table = type.table.flatMap({ tables[$0] }) { return .record(table) }
        switch type.shape {
        case .list(let element, let optional): return .list(type.element(element, optional))
        case .map(let value, let optional): return .map(type.element(value, optional))
        case .composite(let members), .object(let members):
            return .value(name: nil, fields: members.map(Field.init), isComplete: true)
        case .single(let name):
            if let cases = type.cases {
                return .enumeration(
                    ConditionEnumeration(name: nil, cases: cases.map { ($0, nil) }))
            }
            // A type that a later version of the library has added.
            return StoredBaseType.parsed(name).map { .base($0.base) } ?? .scalar(name)
        }
    }

    package func name(of type: FieldType) -> String {
        guard case .single(let name) = type.shape else { return type.shape.description }
        return StoredBaseType.parsed(name)?.base.languageName ?? name
    }

    package var recordNoun: String { "table" }
    package func name(of table: StoredTable) -> String { table.name }
    package func isComplete(_ table: StoredTable) -> Bool { true }
    package func fields(of table: StoredTable) -> [Field] { table.fields.map(field) }
    package func idField(of table: StoredTable) -> Field? {
        table.key.count == 1 ? table.field(table.key[0]).map(field) : nil
    }
    package func idType(of table: StoredTable) -> FieldType {
        FieldType(shape: .composite([]), table: table.name)
    }

    package func name(of field: Field) -> String { field.name }
    package func property(of field: Field) -> String { field.property }
    package func type(of field: Field) -> FieldType { field.type }
    package func isExternal(_ field: Field) -> Bool {
        field.type.shape == StoredShape(.externalData)
    }
    package func isEncrypted(_ field: Field) -> Bool { field.isEncrypted }

    package func relationNames(of table: StoredTable) -> [String] {
        relations[table.name, default: []].map(\.name)
    }

    package func relation(
        _ name: String, of table: StoredTable
    ) -> ConditionLink<StoredScope>? {
        guard let relation = relations[table.name]?.first(where: { $0.name == name }),
            let target = tables[relation.table]
        else { return nil }
        return ConditionLink(relation, to: target, links: relation.isJoined ? 2 : 1)
    }

    package func problem(ofParameter name: String) -> (message: String, help: String)? { nil }
}

extension StoredScope.FieldType: ConditionFieldType {
    package var unwrapped: Self {
        var copy = self
        copy.isOptional = false
        return copy
    }

    package static var count: Self { Self(shape: StoredShape(.int64)) }

    package static func optional(_ wrapped: Self) -> Self {
        var copy = wrapped
        copy.isOptional = true
        return copy
    }

    package static func list(_ element: Self) -> Self {
        Self(
            shape: .list(element.shape, optionalElements: element.isOptional), cases: element.cases)
    }

    /// The type of the elements of a list or the values of a map. The cases of a field's enum are
    /// those of its elements.
    fileprivate func element(_ shape: StoredShape, _ isOptional: Bool) -> Self {
        Self(shape: shape, isOptional: isOptional, cases: cases)
    }
}

extension StoredScope {
    /// Returns a field of a table.
    private func field(_ stored: StoredField) -> Field {
        var field = Field(stored.asMember)
        field.isEncrypted = stored.isEncrypted
        guard let target = stored.reference.flatMap({ tables[$0.table] }) else { return field }
        field.type = idType(of: target)
        field.type.isOptional = stored.isOptional
        // The property of a reference has the name of the field with 'ID' at its end.
        if field.name.hasSuffix("ID"), field.name != "ID" { field.name.removeLast(2) }
        return field
    }
}

extension StoredScope.Field {
    /// A member of an embedded value.
    fileprivate init(_ member: StoredMember) {
        self.init(
            name: member.name, property: member.name,
            type: StoredScope.FieldType(
                shape: member.type, isOptional: member.isOptional, cases: member.cases))
    }
}

extension StoredBaseType {
    /// The name of the type in the schema language.
    fileprivate var languageName: String {
        switch self {
        case .text: "String"
        case .url: "URL"
        case .uuid: "UUID"
        case .uint8, .uint16, .uint32: "UI" + rawValue.dropFirst(2)
        case .externalData: "Data"
        default: rawValue.prefix(1).uppercased() + rawValue.dropFirst()
        }
    }
}
