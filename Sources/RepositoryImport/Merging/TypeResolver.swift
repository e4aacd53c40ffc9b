internal import RepositorySchema

/// What a column contains.
enum StoredShape: Equatable {
    case base(BaseType)
    /// A list, a map, a value or a union as JSON.
    case json
    /// The id of an entity whose id has several fields.
    case composite
}

/// Finds what the named types of a set are stored as.
struct TypeResolver {
    private let declarations: [String: Declaration]

    init(_ set: SchemaSet) { declarations = set.declarationsByName }

    /// Returns whether the innermost type of a field is an entity.
    func isReference(_ field: FieldDeclaration) -> Bool {
        field.type.value.innermostName.map { entity($0) != nil } ?? false
    }

    /// Returns the name of the entity to which a field refers; `nil` for other fields, also for
    /// lists of references.
    func target(of field: FieldDeclaration) -> String? {
        guard case .named(let name) = field.type.value.unwrapped, entity(name) != nil else {
            return nil
        }
        return name
    }

    /// Returns the fields of the id to which a field refers, if the id has several.
    func components(of field: FieldDeclaration) -> [FieldDeclaration] {
        guard let name = target(of: field), let entity = entity(name),
            case .composite(let names) = entity.identity
        else { return [] }
        return names.compactMap { name in entity.fields.first { $0.name.value == name.value } }
    }

    /// Returns what a column of a type contains.
    func stored(_ type: TypeExpression) -> StoredShape {
        switch type.unwrapped {
        case .base(let base): return .base(base)
        case .list, .map, .optional: return .json
        case .named(let name):
            switch declarations[name] {
            case .enumeration(let enumeration): return .base(enumeration.rawType.value)
            case .scalar(let scalar): return .base(scalar.stored.value)
            case .entity(let entity):
                guard case .single(let id) = entity.identity else { return .composite }
                return stored(id.type.value)
            case .value, .union, .mixin, nil: return .json
            }
        }
    }

    private func entity(_ name: String) -> EntityDeclaration? {
        guard case .entity(let entity) = declarations[name] else { return nil }
        return entity
    }
}
