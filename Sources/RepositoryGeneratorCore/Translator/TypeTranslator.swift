internal import RepositorySchema

/// What a declared type is in Swift, and how it is stored.
struct TypeTranslator {
    let scope: SchemaScope

    /// The Swift type of a property: `[Foundation.Date]?`, `Author.ID`.
    func swift(_ type: TypeExpression) -> String {
        switch type {
        case .base(let base):
            base.isFoundation
                ? "Foundation." + base.rawValue : scope.names.qualified(base.rawValue)
        case .optional(let wrapped): swift(wrapped) + "?"
        case .list(let element): "[\(swift(element))]"
        case .map(let value): "[\(scope.names.qualified("String")): \(swift(value))]"
        case .named(let name): swift(named: name)
        }
    }

    /// A declared type; a deprecated one by a way around its name, so that the output does not warn.
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

    /// The enum inside a type as a metatype, if it takes no unknown cases: opening a store compares its cases with those
    /// that are stored.
    func closedEnumeration(_ type: TypeExpression) -> String? {
        guard case .enumeration(let enumeration) = scope.kind(of: type),
            enumeration.unknownCase == nil, let name = type.innermostName
        else { return nil }
        return swift(named: name) + ".self"
    }

    /// The form a field is stored in, as an expression of the runtime's `StoredType`.
    ///
    /// - Parameter scale: the digits after the point that a Decimal keeps.
    func stored(_ type: TypeExpression, scale: Int? = nil) -> String {
        switch type {
        case .base(let base): Self.stored(base, scale: scale)
        case .optional(let wrapped): stored(wrapped, scale: scale)
        case .list(let element): ".list(" + stored(element: element, scale: scale) + ")"
        case .map(let value): ".map(" + stored(element: value, scale: scale) + ")"
        case .named(let name): stored(named: name)
        }
    }

    private func stored(element: TypeExpression, scale: Int?) -> String {
        stored(element, scale: scale) + (element.isOptional ? ", optionalElements: true" : "")
    }

    private func stored(named name: String) -> String {
        switch scope.declarations[name] {
        case .entity(let entity):
            switch entity.identity {
            case .single(let field): return stored(field.type.value)
            case .composite: return ".composite(\(name)IDMapper.layout)"
            }
        case .value, .union: return ".object(\(name)Mapper.layout)"
        case .enumeration(let enumeration): return Self.stored(enumeration.rawType.value)
        case .scalar(let scalar): return Self.stored(scalar.stored.value)
        // The validator lets no mixin stand for a type.
        case .mixin, nil: return ".text"
        }
    }

    private static func stored(_ base: BaseType, scale: Int? = nil) -> String {
        switch base {
        case .bool: ".bool"
        case .int, .int64: ".int64"
        case .int8: ".int8"
        case .int16: ".int16"
        case .int32: ".int32"
        case .uint8: ".uint8"
        case .uint16: ".uint16"
        case .uint32: ".uint32"
        case .float: ".float"
        case .double: ".double"
        case .decimal: ".decimal(scale: \(scale.map(String.init) ?? "nil"))"
        case .date: ".date"
        case .string: ".text"
        case .uuid: ".uuid"
        case .url: ".url"
        case .data: ".data"
        }
    }

    /// Whether a value of the type changes when it is made ready to be stored: dates are rounded, embedded values
    /// checked, and a scalar may do as it likes.
    func isPrepared(_ type: TypeExpression) -> Bool {
        switch scope.kind(of: type) {
        case .base(let base): base == .date
        case .value, .union, .scalar: true
        case .entity, .enumeration, .unknown: false
        }
    }
}
