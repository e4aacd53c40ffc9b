internal import RepositorySchema

/// A field of an entity, a value or a union case, with the names and expressions that the output
/// uses for it.
///
/// A class, because it is passed to many functions, and a declaration is expensive to copy.
final class TranslatedField {
    /// The declaration in the schema.
    let declaration: FieldDeclaration
    /// The name of the property, without backticks. It is also the key in stored documents.
    let name: String
    /// The type of the property. The single id of an entity has the type `ID` in its scope.
    let type: String
    /// The type that the mapper decodes, for example `Book.ID` for the id.
    let decodedType: String
    /// The stored type, as an expression of the runtime's `StoredType`.
    let stored: String
    /// Whether the field is the id or a component of it.
    let isKey: Bool
    /// Whether the field is the only field of the id.
    let isSingleID: Bool
    /// The default value in the initialiser, as an expression. Nil if the caller must pass a value.
    let initialDefault: String?
    /// The constant default, as an expression of its type and as a `StoredValue`. Records that were
    /// stored without the field are read with this value.
    let constantDefault: (swift: String, stored: String)?

    /// Translates a field.
    ///
    /// - Parameters:
    ///   - owner: The name of the type that declares the field.
    ///   - isKey: Whether the field is the id or a component of it.
    ///   - isSingleID: Whether the field is the only field of the id.
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

    /// Copies a field with another declaration.
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

    /// The same field without its deprecation.
    var withoutDeprecation: TranslatedField {
        guard isDeprecated else { return self }
        var declaration = declaration
        declaration.details.deprecated = nil
        return TranslatedField(self, declaration: declaration)
    }

    /// The constant default of a field, or nil if it has none.
    private static func constant(
        _ field: FieldDeclaration, _ scope: SchemaScope
    ) -> (swift: String, stored: String)? {
        guard case .literal(let literal) = field.defaultValue?.value else { return nil }
        let literals = LiteralTranslator(scope: scope)
        let type = field.type.value
        return (literals.swift(literal, as: type), literals.stored(literal, as: type))
    }

    /// The default value in the initialiser. A version starts at 1; an optional field without a
    /// default starts as nil.
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
        // A draft leaves the id out. An entity has one.
        case .assigned: return nil
        // The repository sets it; the entity has the time until then.
        case nil where field.onCreateNow != nil && !field.type.value.isOptional:
            return names.qualified("EntityDefaults") + ".now()"
        case nil: return field.type.value.isOptional ? "nil" : nil
        }
    }
}

extension TranslatedField {
    /// The property's name, escaped with backticks if necessary.
    var property: String { Naming.escaped(name) }

    /// The property's name as an argument label. Swift requires backticks only for `inout`.
    var label: String { name == "inout" ? "`inout`" : name }

    /// The property without a reference to the instance. A property called `self` has to be
    /// qualified, because `self` alone is the instance.
    var unqualified: String { storage == "`self`" ? "self.`self`" : storage }

    /// The name of a local variable that holds the value.
    var local: String { Naming.localName(name) }

    /// The parameter of a function, with a separate label if the property's name cannot be the
    /// parameter's name.
    var parameter: String { Naming.parameter(name) }

    /// Whether the field is deprecated. The output does not use a deprecated property, because each
    /// use would cause a warning.
    var isDeprecated: Bool { declaration.deprecated != nil }

    /// The stored property that the output reads and writes.
    var storage: String { isDeprecated ? "_" + name : property }

    /// Returns the expression that constraints apply to. For an id, they apply to its raw value.
    func checked(_ record: String) -> String {
        "\(record).\(storage)" + (isSingleID ? ".rawValue" : "")
    }
}
