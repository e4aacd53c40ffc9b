internal import RepositorySchema

/// The statements that describe an entity's table.
struct TableTranslator {
    let entity: EntityDeclaration
    let fields: [TranslatedField]
    let indexes: [TranslatedIndex]
    let scope: SchemaScope

    var layer: TableLayer {
        let table = scope.table(of: entity).value
        let renames = entity.renamedFrom.map { Self.table(renamedFrom: $0.value) }
            .filter { $0 != table }
        let renamed = renames.isEmpty ? "" : ", renamedFrom: \(SwiftLiteral.strings(renames))"
        let managed = scope.isManaged(entity) ? "" : ", managed: false"
        let name = SwiftLiteral.string(entity.header.name.value)
        return TableLayer(
            name: "`\(table)`",
            start:
                scope.names.qualified("EntityTable")
                + "(\(SwiftLiteral.string(table)), entity: \(name)\(renamed)\(managed))",
            statements: fields.flatMap { [statement($0)] + cases($0) } + otherStatements)
    }

    private var otherStatements: [String] {
        // What conditions may name is gathered only where there are some.
        guard entity.hasTableConditions else { return indexes.map(\.statement) }
        let conditions = TableConditions(entity, fields: fields, scope: scope)
        return conditions.opening + indexes.flatMap { conditions.statement($0) }
            + conditions.checks
    }

    /// An earlier name of an entity gives its table's; any other text is a table's name itself.
    private static func table(renamedFrom name: String) -> String {
        name.first?.isUppercase == true && Naming.isIdentifier(name)
            ? Naming.tableName(for: name) : name
    }

    private func statement(_ field: TranslatedField) -> String {
        let declared = field.declaration
        let column = FieldColumn(declared, scope).name
        let renames = FieldRenames(field, scope)
        let rules = rules(declared)
        let arguments: [String?] = [
            SwiftLiteral.string(field.name), field.stored,
            column == field.name ? nil : "column: \(SwiftLiteral.string(column))",
            scope.sqliteForm(of: declared).map { "storedAs: .\($0)" },
            declared.type.value.isOptional ? "optional: true" : nil,
            field.constantDefault.map { "default: \($0.stored)" },
            rules.isEmpty
                ? nil
                : "rules: \(scope.names.qualified("FieldRules"))(\(rules.joined(separator: ", ")))",
            reference(declared),
            field.isKey ? "key: true" : nil,
            declared.version?.value == true ? "version: true" : nil,
            declared.ignoringCase?.value == true ? "ignoringCase: true" : nil,
            declared.sensitive?.value == true ? "sensitive: true" : nil,
            renames.names.isEmpty ? nil : "renamedFrom: \(SwiftLiteral.strings(renames.names))",
            renames.columns.isEmpty
                ? nil : "columnsRenamedFrom: \(SwiftLiteral.strings(renames.columns))",
        ]
        return "table.field(\(arguments.compactMap { $0 }.joined(separator: ", ")))"
    }

    /// The statement that names the cases of a field's enum.
    private func cases(_ field: TranslatedField) -> [String] {
        let types = TypeTranslator(scope: scope)
        return types.closedEnumeration(field.declaration.type.value).map { ["table.cases(\($0))"] }
            ?? []
    }

    private func rules(_ field: FieldDeclaration) -> [String] {
        let literals = LiteralTranslator(scope: scope)
        let type = field.type.value
        let rules: [String?] = [
            field.minimum.map { "minimum: \(literals.stored($0.value, as: type))" },
            field.maximum.map { "maximum: \(literals.stored($0.value, as: type))" },
            field.minLength.map { "minLength: \($0.value)" },
            field.maxLength.map { "maxLength: \($0.value)" },
            field.pattern.map { "pattern: \(SwiftLiteral.string($0.value))" },
        ]
        return rules.compactMap { $0 }
    }

    private func reference(_ field: FieldDeclaration) -> String? {
        guard let target = scope.singleReference(field) else { return nil }
        let table = SwiftLiteral.string(scope.table(of: target).value)
        let rule = field.onDelete?.value ?? .restrict
        let onDelete = rule == .restrict ? "" : ", onDelete: .\(rule.rawValue)"
        return "reference: \(scope.names.qualified("TableReference"))(\(table)\(onDelete))"
    }
}

/// An index of an entity with what its table and its finder say of it.
struct TranslatedIndex {
    /// The index's place among those of the table.
    let position: Int
    let keys: [(field: TranslatedField, descending: Bool)]
    let isUnique: Bool
    /// Which records it covers; all of them when nil.
    let condition: ConditionText?
    /// The arguments that describe it in the table.
    let arguments: String

    /// The statement that adds it where it covers all records.
    var statement: String { "table.index(\(arguments))" }
}

/// All indexes of an entity: those of single fields in their order, then those of `indexes`.
struct EntityIndexes {
    private(set) var all: [TranslatedIndex] = []

    init(_ entity: EntityDeclaration, fields: [TranslatedField], scope: SchemaScope) {
        let table = scope.table(of: entity).value
        for field in fields {
            let declared = field.declaration
            let isUnique = declared.unique?.value == true
            guard isUnique || declared.index?.value == true else { continue }
            let name = Naming.indexName(table: table, fields: [declared.name.value])
            add(name, [(field, false)], isUnique: isUnique)
        }
        for index in entity.indexes {
            let keys = index.keys.compactMap { key in
                fields.first { $0.declaration.name.value == key.field.value }
                    .map { (field: $0, descending: key.descending) }
            }
            let names = index.keys.map(\.field.value)
            let name = index.name?.value ?? Naming.indexName(table: table, fields: names)
            add(name, keys, isUnique: index.unique, condition: index.condition)
        }
    }

    private mutating func add(
        _ name: String, _ keys: [(field: TranslatedField, descending: Bool)], isUnique: Bool,
        condition: ConditionText? = nil
    ) {
        let names = keys.map { ($0.descending ? "-" : "") + $0.field.name }
        let unique = isUnique ? ", unique: true" : ""
        all.append(
            TranslatedIndex(
                position: all.count, keys: keys, isUnique: isUnique, condition: condition,
                arguments:
                    "\(SwiftLiteral.string(name)), \(SwiftLiteral.strings(names))\(unique)"))
    }
}
