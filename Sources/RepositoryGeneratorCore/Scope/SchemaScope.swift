internal import RepositorySchema

/// The declarations of a set by name, and what follows from them for a type.
///
/// A class, as it never changes and nearly everything holds it: a copy is a word, and compiles to little code.
final class SchemaScope: Sendable {
    /// What the name inside a type expression stands for.
    enum Kind {
        case base(BaseType)
        case entity(EntityDeclaration)
        case value(ValueDeclaration)
        case union(UnionDeclaration)
        case enumeration(EnumDeclaration)
        case scalar(ScalarDeclaration)
        /// A name that nobody declared, or whose declaration was refused.
        case unknown
    }

    /// The set, with what entities include as if it were written in them.
    let set: SchemaSet
    /// The declarations by name; of two that share a name, the first.
    let declarations: DeclarationTable
    /// The names of types that were declared and refused.
    let refusedNames: Set<String>
    /// The modules of scalars, which the output names.
    let scalarModules: Set<String>
    /// The entities, in order; of two that share a name, the first.
    let entities: [EntityDeclaration]
    /// How the output names what the set does not declare.
    let names: OutputNames

    /// Makes the scope of a set.
    init(_ set: SchemaSet) {
        let set = MixinInclusion.included(in: set)
        self.set = set
        let declarations = set.declarationsByName
        self.declarations = DeclarationTable(declarations)
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

    /// The same scope, with notes of the names that it is asked for.
    ///
    /// It holds no list of declarations: what is made of one file alone is made of what it asks for by name.
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
        names = other.names
        entities = []
    }

    /// What stands inside all optionals, lists and maps of a type.
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
            // Checked by itself: it is no type.
            case .mixin: return .unknown
            case nil: return .unknown
            }
        }
    }

    /// Whether a type's innermost name is an entity.
    func isReference(_ type: TypeExpression) -> Bool {
        guard let name = type.innermostName, case .entity = declarations[name] else {
            return false
        }
        return true
    }

    /// The entity that a field refers to by itself, not through a list or a map.
    func singleReference(_ field: FieldDeclaration) -> EntityDeclaration? {
        guard case .named = field.type.value.unwrapped,
            case .entity(let entity) = kind(of: field.type.value)
        else { return nil }
        return entity
    }

    /// The Swift property of a field.
    func property(of field: FieldDeclaration) -> String {
        Naming.propertyName(of: field, isReference: isReference(field.type.value))
    }

    /// All fields of an entity: the id when it is a field of its own, then those of `fields`.
    func fields(of entity: EntityDeclaration) -> [FieldDeclaration] {
        switch entity.identity {
        case .single(let id): [id] + entity.fields
        case .composite: entity.fields
        }
    }

    /// The fields that make an entity's id.
    func identityFields(of entity: EntityDeclaration) -> [FieldDeclaration] {
        switch entity.identity {
        case .single(let id): [id]
        case .composite(let names):
            names.compactMap { name in entity.fields.first { $0.name.value == name.value } }
        }
    }

    /// The table of an entity.
    func table(of entity: EntityDeclaration) -> Located<String> {
        entity.table
            ?? Located(
                Naming.tableName(for: entity.header.name.value), at: entity.header.name.range)
    }

    /// The form of a field's column in SQLite, where it is not the usual one: a reference has that of the id it refers
    /// to.
    func sqliteForm(of field: FieldDeclaration) -> String? {
        var (field, visited) = (field, Set<String>())
        while let entity = singleReference(field), case .single(let id) = entity.identity,
            visited.insert(entity.header.name.value).inserted
        {
            field = id
        }
        return field.sqliteForm?.value
    }

    /// Whether an entity's table is created and changed, not only verified.
    func isManaged(_ entity: EntityDeclaration) -> Bool {
        entity.manage?.value ?? set.settings.manage
    }

    /// The columns of a field: several for a reference to an entity with a composite id.
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

    /// Fields by name; the first of those that share one.
    static func byName(_ fields: [FieldDeclaration]) -> [String: FieldDeclaration] {
        Dictionary(fields.map { ($0.name.value, $0) }, uniquingKeysWith: { first, _ in first })
    }
}
