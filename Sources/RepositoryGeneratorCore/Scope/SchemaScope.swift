internal import RepositorySchema

/// The declarations of a set by name, with derived facts about types, columns and references. The
/// validator, the linter and the translators resolve names with it.
///
/// A class, because it is immutable and nearly every translator stores it: a copy is one word and
/// one retain.
final class SchemaScope: Sendable {
    /// What the innermost name of a type expression resolves to.
    enum Kind {
        case base(BaseType)
        case entity(EntityDeclaration)
        case value(ValueDeclaration)
        case union(UnionDeclaration)
        case enumeration(EnumDeclaration)
        case scalar(ScalarDeclaration)
        /// An undeclared name, or a name whose declaration has errors.
        case unknown
    }

    /// The set, with mixins expanded into the entities that include them.
    let set: SchemaSet
    /// The declarations by name. If several share a name, the first.
    let declarations: DeclarationTable
    /// The names of declarations that were rejected because of errors.
    let refusedNames: Set<String>
    /// The modules of scalars, which the output imports.
    ///
    /// The output names them in declarations, so a type of the set cannot have the name of one of
    /// them.
    let scalarModules: Set<String>
    /// The entities, in order. If several share a name, the first.
    let entities: [EntityDeclaration]
    /// The values and unions that contain sensitive fields.
    let sensitiveTypes: SensitiveTypes
    /// How the output names the types that the set does not declare.
    let names: OutputNames

    /// Creates the scope of a set. Expands mixins and finds sensitive types; the cost is linear in
    /// the number of fields.
    init(_ set: SchemaSet) {
        let set = MixinInclusion.included(in: set)
        self.set = set
        let declarations = set.declarationsByName
        self.declarations = DeclarationTable(declarations)
        sensitiveTypes = SensitiveTypes(declarations)
        names = OutputNames(set, declarations)
        refusedNames = Set(set.refusedNames.map(\.value))
        scalarModules = Set(
            set.declarations.compactMap {
                if case .scalar(let scalar) = $0 { return scalar.module?.value }
                return nil
            })
        entities = set.declarations.compactMap { declaration in
            guard case .entity(let entity) = declaration,
                declarations[entity.header.name.value]?.header.name == entity.header.name
            else { return nil }
            return entity
        }
    }

    /// Returns the same scope with every lookup by name recorded in `notes`.
    ///
    /// The copy has no list of declarations: its users can reach declarations by name only, so
    /// every dependency is recorded.
    func noting(in notes: LookupNotes) -> SchemaScope {
        SchemaScope(self, declarations: declarations.noting(in: notes))
    }

    private init(_ other: SchemaScope, declarations: DeclarationTable) {
        var set = other.set
        set.declarations = []
        self.set = set
        self.declarations = declarations
        refusedNames = other.refusedNames
        scalarModules = other.scalarModules
        sensitiveTypes = other.sensitiveTypes
        names = other.names
        entities = []
    }

    /// Resolves the innermost name of a type, below all optionals, lists and maps.
    func kind(of type: TypeExpression) -> Kind {
        switch type {
        case .base(let base): return .base(base)
        case .optional(let inner), .list(let inner), .map(let inner): return kind(of: inner)
        case .named(let name):
            switch declarations[name] {
            case .entity(let entity): return .entity(entity)
            case .value(let value): return .value(value)
            case .union(let union): return .union(union)
            case .enumeration(let enumeration): return .enumeration(enumeration)
            case .scalar(let scalar): return .scalar(scalar)
            // The validator reports it separately: a mixin is not a type.
            case .mixin: return .unknown
            case nil: return .unknown
            }
        }
    }

    /// Returns whether the innermost name of a type is an entity.
    func isReference(_ type: TypeExpression) -> Bool {
        guard let name = type.innermostName, case .entity = declarations[name] else {
            return false
        }
        return true
    }

    /// Returns the entity that a field refers to directly, or nil for other fields and for lists
    /// and maps of references.
    func singleReference(_ field: FieldDeclaration) -> EntityDeclaration? {
        guard case .named = field.type.value.unwrapped,
            case .entity(let entity) = kind(of: field.type.value)
        else { return nil }
        return entity
    }

    /// Returns the name of a field's Swift property.
    func property(of field: FieldDeclaration) -> String {
        Naming.propertyName(of: field, isReference: isReference(field.type.value))
    }

    /// All fields of an entity. An id that is declared separately comes before `fields`.
    func fields(of entity: EntityDeclaration) -> [FieldDeclaration] {
        switch entity.identity {
        case .single(let id): [id] + entity.fields
        case .composite: entity.fields
        }
    }

    /// Returns the fields that make up the id of an entity.
    func identityFields(of entity: EntityDeclaration) -> [FieldDeclaration] {
        switch entity.identity {
        case .single(let id): return [id]
        case .composite(let names):
            if names.count > 8 {
                let fields = Dictionary(
                    entity.fields.map { ($0.name.value, $0) },
                    uniquingKeysWith: { first, _ in first })
                return names.compactMap { fields[$0.value] }
            }
            return names.compactMap { name in entity.fields.first { $0.name.value == name.value } }
        }
    }

    /// Returns the name of an entity's table, declared or derived from the entity's name.
    func table(of entity: EntityDeclaration) -> Located<String> {
        entity.table
            ?? Located(
                Naming.tableName(for: entity.header.name.value), at: entity.header.name.range)
    }

    /// Returns the column type of a field in SQLite if it is not the default. A reference has the
    /// column type of the id that it refers to.
    ///
    /// Chains of references are followed. `visited` ends the loop for cyclic references.
    func sqliteForm(of field: FieldDeclaration) -> String? {
        var (field, visited) = (field, Set<String>())
        while let entity = singleReference(field), case .single(let id) = entity.identity,
            visited.insert(entity.header.name.value).inserted
        {
            field = id
        }
        return field.sqliteForm?.value
    }

    /// Returns whether the runtime creates and migrates an entity's table, rather than only
    /// verifying it. What is only read is not managed.
    func isManaged(_ entity: EntityDeclaration) -> Bool {
        !entity.isReadOnly && (entity.manage?.value ?? set.settings.manage)
    }

    /// Returns the columns of a field. A reference to an entity with a composite id has one column
    /// per component.
    func columns(of field: FieldDeclaration) -> [String] {
        let style = set.settings.columns
        if let entity = singleReference(field), case .composite = entity.identity {
            return identityFields(of: entity).map { component in
                Naming.columnName(
                    of: field, component: component,
                    isReference: isReference(component.type.value), style: style)
            }
        }
        return [
            Naming.columnName(
                of: field, isReference: isReference(field.type.value), style: style)
        ]
    }

    /// Fields by name. If several share a name, the first.
    static func byName(_ fields: [FieldDeclaration]) -> [String: FieldDeclaration] {
        Dictionary(fields.map { ($0.name.value, $0) }, uniquingKeysWith: { first, _ in first })
    }
}
