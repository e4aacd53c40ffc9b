internal import RepositorySchema

/// Creates the layer of an entity's table: the statements that describe its columns, indexes and
/// checks to the runtime.
///
/// ```swift
/// var table = EntityTable("loans", entity: "Loan")
/// table.field("number", .int64, rules: FieldRules(minimum: .integer(1)), key: true)
/// table.index("loans_client", ["clientID"])
/// ```
///
/// The template `mapper` places them in `makeTable()`.
struct TableTranslator {
    /// The entity, with mixins expanded.
    let entity: EntityDeclaration
    /// The fields in the order of the mapper.
    let fields: [TranslatedField]
    let indexes: [TranslatedIndex]
    let scope: SchemaScope

    /// The layer of the table.
    var layer: TableLayer {
        let table = scope.table(of: entity).value
        let renames = Self.renames(of: entity, scope)
        let renamed = renames.isEmpty ? "" : ", renamedFrom: \(SwiftLiteral.strings(renames))"
        let managed =
            entity.isReadOnly
            ? ", readOnly: true" : scope.isManaged(entity) ? "" : ", managed: false"
        let name = SwiftLiteral.string(entity.header.name.value)
        return TableLayer(
            name: "`\(CommentText.line(table))`",
            start:
                scope.names.qualified("EntityTable")
                + "(\(SwiftLiteral.string(table)), entity: \(name)\(renamed)\(managed))",
            statements: fields.flatMap { [statement($0)] + cases($0) + supplies($0) }
                + otherStatements)
    }

    /// The statements after those of the fields: indexes, checks, the searched fields, the one
    /// that marks deleted records, the distribution, and what records of other databases become.
    private var otherStatements: [String] {
        tableStatements + searchStatements + deletionStatements + distributionStatements
            + SourceTranslator(entity: entity, fields: fields, scope: scope).statements
    }

    /// The statement that declares the field that marks deleted records; none without
    /// `softDelete:`.
    private var deletionStatements: [String] {
        fields.filter { $0.declaration.name.value == entity.softDelete?.value }.map {
            "table.softDelete(\(SwiftLiteral.string($0.name)))"
        }
    }

    /// The statement that declares the distribution; none without `distribute:`.
    private var distributionStatements: [String] {
        switch entity.distribute?.value {
        case .everywhere?: ["table.distributeEverywhere()"]
        case .field(let name)?:
            fields.filter { $0.declaration.name.value == name }.map {
                "table.distribute(by: \(SwiftLiteral.string($0.name)))"
            }
        case nil: []
        }
    }

    /// The statement that declares the searched fields; none without `search:`.
    private var searchStatements: [String] {
        guard !entity.search.isEmpty else { return [] }
        let names = entity.search.compactMap { name in
            fields.first { $0.declaration.name.value == name.value }?.name
        }
        return ["table.search(\(SwiftLiteral.strings(names)))"]
    }

    /// The statements of the indexes and checks.
    private var tableStatements: [String] {
        // Conditions are only translated if there are any.
        guard entity.hasTableConditions else { return indexes.map(\.statement) }
        let conditions = TableConditions(entity, fields: fields, scope: scope)
        return conditions.opening + indexes.flatMap { conditions.statement($0) }
            + conditions.checks
    }

    /// Returns the earlier names of an entity's table, newest first.
    static func renames(of entity: EntityDeclaration, _ scope: SchemaScope) -> [String] {
        let table = scope.table(of: entity).value
        return entity.renamedFrom.map { Self.table(renamedFrom: $0.value) }.filter { $0 != table }
    }

    /// Returns the table name for an entry of `renamedFrom`. The name of an entity stands for its
    /// default table; any other string is the name of a table.
    ///
    /// An entity name is recognised by its first letter, which is in upper case.
    static func table(renamedFrom name: String) -> String {
        name.first?.isUppercase == true && Naming.isIdentifier(name)
            ? Naming.tableName(for: name) : name
    }

    /// The statement that describes a field and its column.
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
            declared.sensitive?.value == true && !declared.isEncrypted ? "sensitive: true" : nil,
            declared.isEncrypted ? "encrypted: true" : nil,
            renames.names.isEmpty ? nil : "renamedFrom: \(SwiftLiteral.strings(renames.names))",
            renames.columns.isEmpty
                ? nil : "columnsRenamedFrom: \(SwiftLiteral.strings(renames.columns))",
        ]
        return "table.field(\(arguments.compactMap { $0 }.joined(separator: ", ")))"
    }

    /// The statement that registers the cases of a field's enum. Empty for other fields.
    private func cases(_ field: TranslatedField) -> [String] {
        let types = TypeTranslator(scope: scope)
        return types.closedEnumeration(field.declaration.type.value).map { ["table.cases(\($0))"] }
            ?? []
    }

    /// The statements that say what sets a field instead of the caller. Empty for most fields.
    private func supplies(_ field: TranslatedField) -> [String] {
        let name = SwiftLiteral.string(field.name)
        var statements: [String] = []
        switch field.declaration.defaultValue?.value {
        case .generated: statements.append("table.generated(\(name))")
        case .now: statements.append("table.dated(\(name))")
        case .assigned: statements.append("table.assigned(\(name))")
        case .literal, nil: break
        }
        if field.declaration.postgreSQLForm?.value == "timestamp" {
            statements.append("table.timestamp(\(name))")
        }
        if field.declaration.readAsText != nil {
            statements.append("table.readAsText(\(name))")
        } else if field.declaration.isOnlyRead {
            statements.append("table.computed(\(name))")
        }
        if field.declaration.onCreateNow != nil { statements.append("table.created(\(name))") }
        if field.declaration.onUpdateNow != nil { statements.append("table.stamped(\(name))") }
        return statements
    }

    /// The constraints of a field as arguments of the runtime's `FieldRules`.
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

    /// The reference of a field to another table, or nil if it is not a single reference.
    /// `restrict` is the default delete rule.
    private func reference(_ field: FieldDeclaration) -> String? {
        guard let target = scope.singleReference(field) else { return nil }
        let table = SwiftLiteral.string(scope.table(of: target).value)
        let rule = field.deleteRule
        let onDelete = rule == .restrict ? "" : ", onDelete: .\(rule.rawValue)"
        return "reference: \(scope.names.qualified("TableReference"))(\(table)\(onDelete))"
    }
}

/// A key of an index: a field, or one inside an embedded value.
struct TranslatedIndexKey {
    /// The entity's own field.
    let outer: TranslatedField
    /// The fields inside its value, outermost first; empty if the index contains the whole field.
    let inner: [TranslatedField]
    /// Whether the order is descending.
    let descending: Bool

    /// The field that the index contains, which may lie inside a value.
    var field: TranslatedField { inner.last ?? outer }
    /// The fields from the entity's own inwards.
    var path: [TranslatedField] { [outer] + inner }
    /// The path as the description of the table spells it: `shelf.room`.
    var name: String { path.map(\.name).joined(separator: ".") }
    /// The name of a parameter for the value: `shelfRoom`.
    var argument: String {
        inner.reduce(outer.name) { name, field in
            name + field.name.prefix(1).uppercased() + field.name.dropFirst()
        }
    }
    /// Whether the field lies inside a value.
    var isInsideValue: Bool { !inner.isEmpty }
}

/// An index with the information that its table and its finder use.
struct TranslatedIndex {
    /// The position of the index among those of the table. Finders refer to the index by this
    /// position.
    let position: Int
    /// The fields with their directions.
    let keys: [TranslatedIndexKey]
    /// Whether no two covered records can have the same values.
    let isUnique: Bool
    /// The condition of a partial index, or nil if the index covers all records.
    let condition: ConditionText?
    /// The name of the index.
    let name: String
    /// The arguments that describe the index in the table.
    let arguments: String

    /// The statement that adds the index, without its condition.
    var statement: String { "table.index(\(arguments))" }
}

/// All indexes of an entity: those of single fields in the order of the fields, then those of
/// `indexes`.
///
/// The order determines ``TranslatedIndex/position``.
struct EntityIndexes {
    private(set) var all: [TranslatedIndex] = []

    /// Collects the indexes of an entity.
    init(_ entity: EntityDeclaration, fields: [TranslatedField], scope: SchemaScope) {
        let table = scope.table(of: entity).value
        for field in fields {
            let declared = field.declaration
            let isUnique = declared.unique?.value == true
            guard isUnique || declared.index?.value == true else { continue }
            let name = Naming.indexName(table: table, fields: [declared.name.value])
            add(
                name, [TranslatedIndexKey(outer: field, inner: [], descending: false)],
                isUnique: isUnique)
        }
        guard !entity.indexes.isEmpty else { return }
        let byName = Dictionary(
            fields.map { ($0.declaration.name.value, $0) }, uniquingKeysWith: { first, _ in first })
        for index in entity.indexes {
            let keys = index.keys.compactMap { key in
                byName[key.outerField.value].map { field in
                    TranslatedIndexKey(
                        outer: field,
                        inner: Self.members(key.innerNames, of: field.declaration, scope),
                        descending: key.descending)
                }
            }
            let names = index.keys.map(\.field.value)
            let name = index.name?.value ?? Naming.indexName(table: table, fields: names)
            add(name, keys, isUnique: index.unique, condition: index.condition)
        }
    }

    /// Returns the fields inside a value by their names, outermost first.
    private static func members(
        _ names: [String], of field: FieldDeclaration, _ scope: SchemaScope
    ) -> [TranslatedField] {
        var members: [TranslatedField] = []
        var outer = field
        for name in names {
            guard case .value(let value) = scope.kind(of: outer.type.value),
                let inner = value.fields.first(where: { $0.name.value == name })
            else { return members }
            members.append(TranslatedField(inner, of: value.header.name.value, scope: scope))
            outer = inner
        }
        return members
    }

    /// Adds an index at the next position.
    private mutating func add(
        _ name: String, _ keys: [TranslatedIndexKey], isUnique: Bool,
        condition: ConditionText? = nil
    ) {
        let names = keys.map { ($0.descending ? "-" : "") + $0.name }
        let unique = isUnique ? ", unique: true" : ""
        all.append(
            TranslatedIndex(
                position: all.count, keys: keys, isUnique: isUnique, condition: condition,
                name: name,
                arguments:
                    "\(SwiftLiteral.string(name)), \(SwiftLiteral.strings(names))\(unique)"))
    }
}
