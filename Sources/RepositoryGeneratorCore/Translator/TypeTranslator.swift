internal import RepositorySchema
internal import StoredSchema

/// Translates the type expressions of a schema to Swift types and to stored types.
///
/// ```
/// schema        Swift type       stored type
/// String?       String?          .text
/// [Int]         [Int]            .list(.int64)
/// Date          Foundation.Date  .date
/// Author        Author.ID        .uuid, if this is the type of the id
/// Shelf         Shelf            .object(ShelfMapper.layout)
/// ```
struct TypeTranslator {
    /// The scope in which types are resolved.
    let scope: SchemaScope

    /// Returns the Swift type of a property: `[Foundation.Date]?`, `Author.ID`.
    ///
    /// Types of Foundation are always qualified with the module.
    func swift(_ type: TypeExpression) -> String {
        switch type {
        case .base(let base):
            base.module.map { "\($0).\(base.rawValue)" } ?? scope.names.qualified(base.rawValue)
        case .optional(let wrapped): swift(wrapped) + "?"
        case .list(let element): "[\(swift(element))]"
        case .map(let value): "[\(scope.names.qualified("String")): \(swift(value))]"
        case .named(let name): swift(named: name)
        }
    }

    /// Returns the Swift type of a declaration. A deprecated type is named indirectly, so that the
    /// output compiles without warnings.
    private func swift(named name: String) -> String {
        let own = OutputNames.own(name)
        return switch scope.declarations[name] {
        case .entity(let entity):
            entity.header.deprecated == nil ? "\(own).ID" : "\(name)Mapper.Record.ID"
        case .value(let value): value.header.deprecated == nil ? own : "\(name)Mapper.Record"
        case .union(let union): union.header.deprecated == nil ? own : "\(name)Mapper.Record"
        case .enumeration(let enumeration):
            enumeration.header.deprecated == nil ? own : "Deprecated\(name).Element"
        case .scalar(let scalar): scalar.module.map { "\($0.value).\(name)" } ?? own
        case .mixin, nil: own
        }
    }

    /// Returns the metatype of the innermost type if it is a closed enum, or nil. When a store is
    /// opened, the cases are compared with those of the stored schema.
    func closedEnumeration(_ type: TypeExpression) -> String? {
        guard case .enumeration(let enumeration) = scope.kind(of: type),
            enumeration.unknownCase == nil, let name = type.innermostName
        else { return nil }
        return swift(named: name) + ".self"
    }

    /// Returns the stored type of a field, as an expression of the runtime's `StoredType`.
    ///
    /// References are stored like the id that they refer to; enums and scalars like their base
    /// type.
    ///
    /// - Parameter scale: The number of digits after the decimal point of a Decimal.
    func stored(_ type: TypeExpression, scale: Int? = nil) -> String {
        switch type {
        case .base(let base): Self.stored(base, scale: scale)
        case .optional(let wrapped): stored(wrapped, scale: scale)
        case .list(let element): ".list(" + stored(element: element, scale: scale) + ")"
        case .map(let value): ".map(" + stored(element: value, scale: scale) + ")"
        case .named(let name): stored(named: name)
        }
    }

    /// The stored type of the elements of a list or a map.
    private func stored(element: TypeExpression, scale: Int?) -> String {
        stored(element, scale: scale) + (element.isOptional ? ", optionalElements: true" : "")
    }

    /// The stored type of a declaration. A reference is stored like the id that it refers to.
    private func stored(named first: String) -> String {
        var name = first
        // An id can be a reference itself, in a chain as long as the schema, so this is a loop
        // instead of a recursion.
        while case .entity(let entity) = scope.declarations[name] {
            switch entity.identity {
            case .single(let field):
                guard case .named(let next) = field.type.value else {
                    return stored(field.type.value)
                }
                name = next
            case .composite: return ".composite(\(name)IDMapper.layout)"
            }
        }
        switch scope.declarations[name] {
        case .value, .union: return ".object(\(name)Mapper.layout)"
        case .enumeration(let enumeration): return Self.stored(enumeration.rawType.value)
        case .scalar(let scalar): return Self.stored(scalar.stored.value)
        // The validator rejects mixins as types.
        case .entity, .mixin, nil: return ".text"
        }
    }

    /// The stored type of a base type.
    private static func stored(_ base: BaseType, scale: Int? = nil) -> String {
        let arguments = base == .decimal ? "(scale: \(scale.map(String.init) ?? "nil"))" : ""
        return "." + base.stored.rawValue + arguments
    }

    /// Returns whether values of the type are prepared before a write: dates are rounded, embedded
    /// values are checked, and scalars can implement their own preparation.
    func isPrepared(_ type: TypeExpression) -> Bool {
        switch scope.kind(of: type) {
        case .base(let base): base == .date
        case .value, .union, .scalar: true
        case .entity, .enumeration, .unknown: false
        }
    }
}
