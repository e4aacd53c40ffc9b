internal import RepositorySchema

/// A field of existing schemas.
struct ExistingField {
    let declaration: FieldDeclaration
    /// The columns: several if it refers to an entity with an id of several fields.
    let columns: [String]
    /// The property that the generator makes of it.
    let property: String
    /// What its column contains.
    let stored: StoredShape
    /// The name of the entity to which it refers; `nil` for other fields.
    let target: String?

    init(
        _ field: FieldDeclaration, _ types: TypeResolver, _ style: SchemaSettings.ColumnNaming
    ) {
        declaration = field
        let isReference = types.isReference(field)
        property = Naming.propertyName(of: field, isReference: isReference)
        stored = types.stored(field.type.value)
        target = types.target(of: field)
        let components = types.components(of: field)
        columns =
            components.isEmpty
            ? [Naming.columnName(of: field, isReference: isReference, style: style)]
            : components.map { component in
                Naming.columnName(
                    of: field, component: component, isReference: types.isReference(component),
                    style: style)
            }
    }

    /// Whether the field is in no declared column of the table.
    var isApart: Bool { declaration.isExternal || declaration.isRowNumber }
}
