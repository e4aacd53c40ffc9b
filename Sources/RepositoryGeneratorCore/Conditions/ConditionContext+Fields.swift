internal import RepositorySchema

/// Name resolution.
extension ConditionContext {
    /// Resolves a path to a field. Returns nil, without an error, if the field may be in a
    /// declaration that could not be read.
    ///
    /// The path `shelf.room` leads to the field `room` of the embedded value `shelf`, and
    /// `author.name` to the field `name` of the record to which `author` refers.
    func field(
        _ path: [(name: String, range: Range<Int>)]
    ) throws(ConditionProblem) -> ConditionField? {
        guard let first = path.first else { return nil }
        guard let outer = try outerField(first.name, first.range) else { return nil }
        var field = outer
        for step in path.dropFirst() {
            guard let inner = try member(step.name, step.range, of: field) else { return nil }
            field = inner
        }
        return field
    }

    /// Returns whether the entity has a field of this name. `id` always names the id of an entity.
    func isField(_ name: String) -> Bool {
        fields[name] != nil || (name == "id" && entity != nil)
    }

    /// Resolves the first name of a path.
    func outerField(
        _ name: String, _ range: Range<Int>
    ) throws(ConditionProblem) -> ConditionField? {
        if let entity, let id = identity(name, range, of: entity) { return id }
        guard let field = fields[name] else {
            guard isComplete else { return nil }
            throw ConditionProblem(
                "\(owner) has no field '\(name)'", range, help(forField: name))
        }
        guard isKnown(field) else { return nil }
        if field.isExternal {
            throw ConditionProblem(
                "'\(name)' is external data, which conditions cannot read", range,
                "compare another field")
        }
        if field.isEncrypted, isOfIndex {
            throw ConditionProblem(
                "'\(name)' is encrypted, which the condition of an index cannot read", range,
                "compare another field")
        }
        return ConditionField(
            path: [field], properties: [scope.property(of: field)], type: field.type.value,
            range: range, depth: depth)
    }

    /// Returns the id if the name is `id` or the name of the id field. The field has the entity's
    /// id type, not its raw type.
    private func identity(
        _ name: String, _ range: Range<Int>, of entity: EntityDeclaration
    ) -> ConditionField? {
        let type = TypeExpression.named(entity.header.name.value)
        switch entity.identity {
        case .single(let field) where name == field.name.value || name == "id":
            return ConditionField(
                path: [field], properties: [scope.property(of: field)], type: type, range: range,
                depth: depth)
        case .composite where name == "id":
            return ConditionField(
                path: [], properties: ["id"], type: type, range: range, depth: depth)
        case .single, .composite: return nil
        }
    }

    /// Returns whether the type of a field is declared. An undeclared type is reported elsewhere.
    private func isKnown(_ field: FieldDeclaration) -> Bool {
        if case .unknown = scope.kind(of: field.type.value) { return false }
        return true
    }

    /// Suggests the declared name if `name` is a Swift property, or the nearest field name.
    private func help(forField name: String) -> String? {
        if let field = fields.values.first(where: { scope.property(of: $0) == name }) {
            return "write the name as it is declared: '\(field.name.value)'"
        }
        if entity?.relations.contains(where: { $0.name.value == name }) == true {
            return "a relation stands in 'any(\(name), …)', 'none', 'all' or 'count(\(name))'"
        }
        return NearestName.help(for: name, among: names, kind: "fields")
    }

    /// Resolves a name inside an embedded value.
    private func member(
        _ name: String, _ range: Range<Int>, of field: ConditionField
    ) throws(ConditionProblem) -> ConditionField? {
        if let target = target(of: field) {
            return try member(name, range, behind: field, in: target)
        }
        let outer = field.path.map(\.name.value).joined(separator: ".")
        guard case .named = field.type.unwrapped,
            case .value(let value) = scope.kind(of: field.type)
        else { throw noMembers(of: field, outer, range) }
        guard let inner = value.fields.first(where: { $0.name.value == name }) else {
            guard value.header.isComplete else { return nil }
            throw ConditionProblem(
                "the value '\(value.header.name.value)' has no field '\(name)'", range,
                NearestName.help(for: name, among: value.fields.map(\.name.value), kind: "fields"))
        }
        guard isKnown(inner) else { return nil }
        let type = inner.type.value
        return ConditionField(
            path: field.path + [inner],
            properties: field.properties + [scope.property(of: inner)],
            type: field.type.isOptional && !type.isOptional ? .optional(type) : type,
            range: field.range.lowerBound..<range.upperBound, depth: field.depth,
            isInsideValue: true)
    }

    /// The problem of a path that continues after a field without fields of its own.
    private func noMembers(
        of field: ConditionField, _ name: String, _ range: Range<Int>
    ) -> ConditionProblem {
        if case .named = field.type.unwrapped, scope.isReference(field.type) {
            return ConditionProblem(
                "'\(name)' is an id, which has no fields", range, "compare the id itself")
        }
        return ConditionProblem(
            "'\(name)' is \(described(field.type)), which has no fields", range)
    }

    /// Returns a type with its article, for messages.
    func described(_ type: TypeExpression) -> String {
        switch type.unwrapped {
        case .list: return "a list"
        case .map: return "a map"
        case .base(let base): return (base.rawValue.hasPrefix("Int") ? "an " : "a ") + base.rawValue
        case .named(let name), .optional(.named(let name)):
            switch scope.kind(of: type) {
            case .enumeration: return "an enum \(name)"
            case .entity: return "an id of \(name)"
            case .value: return "a value \(name)"
            case .union: return "a union \(name)"
            case .scalar: return "a scalar \(name)"
            case .base, .unknown: return name
            }
        case .optional: return type.description
        }
    }
}
