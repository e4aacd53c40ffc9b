internal import RepositorySchema

/// A field of an entity or a value with everything that follows from its declaration.
///
/// A class, because it is handed to many functions and a declaration has many parts to copy.
final class TranslatedField {
    let declaration: FieldDeclaration
    /// The property's name, without backticks: also its key in a document.
    let name: String
    /// The property's type; the id of an entity is `ID` there.
    let type: String
    /// What the mapper decodes: `Book.ID` for the id.
    let decodedType: String
    /// The stored form, as an expression.
    let stored: String
    /// Whether it is the id, or a component of it.
    let isKey: Bool
    /// Whether it is an id of one field.
    let isSingleID: Bool
    /// Where the initialiser takes its default from; nil where the caller must give a value.
    let initialDefault: String?
    /// What a stored record without the field reads, in Swift and as it is stored.
    let constantDefault: (swift: String, stored: String)?

    init(
        _ field: FieldDeclaration, of owner: String, scope: SchemaScope, isKey: Bool = false,
        isSingleID: Bool = false
    ) {
        let types = TypeTranslator(scope: scope)
        declaration = field
        name = scope.property(of: field)
        let swiftType = types.swift(field.type.value)
        type = isSingleID ? "ID" : swiftType
        decodedType = isSingleID ? "\(OutputNames.own(owner)).ID" : swiftType
        stored = types.stored(field.type.value, scale: field.scale?.value)
        self.isKey = isKey
        self.isSingleID = isSingleID
        constantDefault = Self.constant(field, scope)
        initialDefault = Self.initial(
            field, constantDefault?.swift, isSingleID: isSingleID, scope.names)
    }

    private init(_ other: TranslatedField, declaration: FieldDeclaration) {
        self.declaration = declaration
        name = other.name
        type = other.type
        decodedType = other.decodedType
        stored = other.stored
        isKey = other.isKey
        isSingleID = other.isSingleID
        constantDefault = other.constantDefault
        initialDefault = other.initialDefault
    }

    /// The same field, as if it were not deprecated.
    var withoutDeprecation: TranslatedField {
        guard isDeprecated else { return self }
        var declaration = declaration
        declaration.details.deprecated = nil
        return TranslatedField(self, declaration: declaration)
    }

    private static func constant(
        _ field: FieldDeclaration, _ scope: SchemaScope
    ) -> (swift: String, stored: String)? {
        guard case .literal(let literal) = field.defaultValue?.value else { return nil }
        let literals = LiteralTranslator(scope: scope)
        let type = field.type.value
        return (literals.swift(literal, as: type), literals.stored(literal, as: type))
    }

    private static func initial(
        _ field: FieldDeclaration, _ constant: String?, isSingleID: Bool, _ names: OutputNames
    ) -> String? {
        if field.version?.value == true { return "1" }
        switch field.defaultValue?.value {
        case .now: return names.qualified("EntityDefaults") + ".now()"
        case .generated:
            return isSingleID
                ? ".generated" : names.qualified("EntityDefaults") + ".uuid()"
        case .literal: return constant
        case nil: return field.type.value.isOptional ? "nil" : nil
        }
    }
}

extension TranslatedField {
    /// The property's name where it is declared or used.
    var property: String { Naming.escaped(name) }

    /// The property's name as the label of an argument, where Swift wants backticks for one word only.
    var label: String { name == "inout" ? "`inout`" : name }

    /// The property where the instance is not named: `self` by itself would be the instance.
    var unqualified: String { storage == "`self`" ? "self.`self`" : storage }

    /// The name of a parameter or variable that holds the value.
    var local: String { Naming.local(name) }

    /// The name of a parameter, with its label where that is another.
    var parameter: String { Naming.parameter(name) }

    /// Whether the output itself must not use the property, because every use of it warns.
    var isDeprecated: Bool { declaration.deprecated != nil }

    /// What the output itself reads and writes.
    var storage: String { isDeprecated ? "_" + name : property }

    /// The value that rules are about: what is inside an id.
    func checked(_ record: String) -> String {
        "\(record).\(storage)" + (isSingleID ? ".rawValue" : "")
    }
}
