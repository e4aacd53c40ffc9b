internal import RepositorySchema

/// An entity of existing schemas, with the members of its mixins.
struct ExistingEntity {
    let declaration: EntityDeclaration
    /// The name of its table.
    let table: String
    /// Whether the package creates and changes the table.
    let isManaged: Bool
    /// The fields, including those of the id and of mixins.
    let fields: [ExistingField]
    let indexes: [IndexDeclaration]
    let checks: [CheckDeclaration]

    init(_ entity: EntityDeclaration, in set: SchemaSet, _ types: TypeResolver) {
        declaration = entity
        table = entity.table?.value ?? Naming.tableName(for: entity.header.name.value)
        isManaged = entity.manage?.value ?? set.settings.manage
        let included = Set(entity.include.map(\.value))
        let mixins = set.declarations.compactMap { declaration -> MixinDeclaration? in
            guard case .mixin(let mixin) = declaration,
                included.contains(mixin.header.name.value)
            else { return nil }
            return mixin
        }
        indexes = entity.indexes + mixins.flatMap(\.indexes)
        checks = entity.checks + mixins.flatMap(\.checks)
        var fields = entity.fields + mixins.flatMap(\.fields)
        if case .single(let id) = entity.identity { fields.insert(id, at: 0) }
        self.fields = fields.map { ExistingField($0, types, set.settings.columns) }
    }

    /// The name of the entity.
    var name: String { declaration.header.name.value }

    /// The path of its file, as the user knows it.
    var path: String { place.path }

    /// The place of the entity's name.
    var place: SourceRange { declaration.header.name.range }

    /// Returns the field that is in a column; `nil` if there is none.
    func field(ofColumn column: String) -> ExistingField? {
        fields.first { $0.columns.contains { SQLText.isSameName($0, column) } }
    }

    /// Returns a field by its name.
    func field(named name: String) -> ExistingField? {
        fields.first { $0.declaration.name.value == name }
    }

    /// The names of the fields of the id.
    var id: [String] {
        switch declaration.identity {
        case .single(let field): [field.name.value]
        case .composite(let names): names.map(\.value)
        }
    }

    /// The names of its fields, and those that no further member can have.
    var names: KnownNames.Table {
        let single = fields.filter { $0.columns.count == 1 }.map {
            (SQLText.folded($0.columns[0]), $0.declaration.name.value)
        }
        let members =
            fields.flatMap { [$0.declaration.name.value, $0.property] }
            + declaration.relations.map(\.name.value) + declaration.queries.map(\.name.value)
            + declaration.removed.map(\.value)
        return KnownNames.Table(
            entity: declaration.header.name.value,
            fields: Dictionary(single, uniquingKeysWith: { first, _ in first }),
            members: Set(members))
    }
}
