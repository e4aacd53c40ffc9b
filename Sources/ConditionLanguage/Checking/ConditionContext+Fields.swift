/// Name resolution.
extension ConditionContext {
    /// Resolves a path to a field. Returns nil, without an error, if the field may be in a
    /// declaration that could not be read.
    ///
    /// The path `shelf.room` leads to the field `room` of the embedded value `shelf`, and
    /// `author.name` to the field `name` of the record to which `author` refers.
    package func field(
        _ path: [(name: String, range: Range<Int>)]
    ) throws(ConditionProblem) -> ConditionField<Scope>? {
        guard let first = path.first else { return nil }
        guard let outer = try outerField(first.name, first.range) else { return nil }
        var field = outer
        for step in path.dropFirst() {
            guard let inner = try member(step.name, step.range, of: field) else { return nil }
            field = inner
        }
        return field
    }

    /// Returns whether the record has a field of this name. `id` always names the id of a record.
    func isField(_ name: String) -> Bool {
        fields[name] != nil || (name == "id" && record != nil)
    }

    /// Resolves the first name of a path.
    func outerField(
        _ name: String, _ range: Range<Int>
    ) throws(ConditionProblem) -> ConditionField<Scope>? {
        if let record, let id = identity(name, range, of: record) { return id }
        guard let field = fields[name] else {
            guard isComplete else { return nil }
            throw ConditionProblem(
                "\(owner) has no field '\(name)'", range, help(forField: name))
        }
        guard isKnown(field) else { return nil }
        if scope.isExternal(field) {
            throw ConditionProblem(
                "'\(name)' is external data, which conditions cannot read", range,
                "compare another field")
        }
        if scope.isEncrypted(field), use == .table(Self.index) {
            throw ConditionProblem(
                "'\(name)' is encrypted, which the condition of an index cannot read", range,
                "compare another field")
        }
        return ConditionField(
            path: [field], properties: [scope.property(of: field)], type: scope.type(of: field),
            range: range, depth: depth)
    }

    /// The description of an index, for ``without(parametersIn:)``.
    package static var index: String { "an index" }

    /// Returns the id if the name is `id` or the name of the id field. The field has the record's
    /// id type, not its raw type.
    private func identity(
        _ name: String, _ range: Range<Int>, of record: Scope.Record
    ) -> ConditionField<Scope>? {
        let id = scope.idField(of: record)
        guard name == "id" || id.map({ scope.name(of: $0) == name }) ?? false else { return nil }
        return ConditionField(
            path: id.map { [$0] } ?? [], properties: [id.map(scope.property) ?? "id"],
            type: scope.idType(of: record), range: range, depth: depth)
    }

    /// Returns whether the type of a field is declared. An undeclared type is reported elsewhere.
    private func isKnown(_ field: Scope.Field) -> Bool {
        if case .unknown = scope.innermostKind(of: scope.type(of: field)) { return false }
        return true
    }

    /// Suggests the declared name if `name` is a Swift property, or the nearest field name.
    private func help(forField name: String) -> String? {
        if let field = fields.values.first(where: { scope.property(of: $0) == name }) {
            return "write the name as it is declared: '\(scope.name(of: field))'"
        }
        if record.map(scope.relationNames)?.contains(name) == true {
            return "a relation stands in 'any(\(name), …)', 'none', 'all' or 'count(\(name))'"
        }
        return NearestName.help(for: name, among: names, kind: "fields")
    }

    /// Resolves a name inside an embedded value.
    private func member(
        _ name: String, _ range: Range<Int>, of field: ConditionField<Scope>
    ) throws(ConditionProblem) -> ConditionField<Scope>? {
        if let target = target(of: field) {
            return try member(name, range, behind: field, in: target)
        }
        guard
            case .value(let value, let fields, let isComplete) = scope.conditionKind(of: field.type)
        else { throw noMembers(of: field, range) }
        guard let inner = fields.first(where: { scope.name(of: $0) == name }) else {
            guard isComplete else { return nil }
            throw ConditionProblem(
                "the value\(value.map { " '\($0)'" } ?? "") has no field '\(name)'", range,
                NearestName.help(for: name, among: fields.map(scope.name), kind: "fields"))
        }
        guard isKnown(inner) else { return nil }
        let type = scope.type(of: inner)
        return ConditionField(
            path: field.path + [inner],
            properties: field.properties + [scope.property(of: inner)],
            type: field.type.isOptional && !type.isOptional ? .optional(type) : type,
            range: field.range.lowerBound..<range.upperBound, depth: field.depth,
            isInsideValue: true)
    }

    /// The problem of a path that continues after a field without fields of its own.
    private func noMembers(
        of field: ConditionField<Scope>, _ range: Range<Int>
    ) -> ConditionProblem {
        let name = field.path.map(scope.name).joined(separator: ".")
        if case .record = scope.conditionKind(of: field.type) {
            return ConditionProblem(
                "'\(name)' is an id, which has no fields", range, "compare the id itself")
        }
        return ConditionProblem(
            "'\(name)' is \(scope.described(field.type)), which has no fields", range)
    }
}

extension ConditionScope {
    /// Returns what a type is inside all lists and maps.
    func innermostKind(of type: FieldType) -> ConditionKind<Self> {
        switch conditionKind(of: type) {
        case .list(let inner), .map(let inner): innermostKind(of: inner)
        case let kind: kind
        }
    }

    /// Returns a type with its article, for messages.
    func described(_ type: FieldType) -> String {
        let name = name(of: type)
        return switch conditionKind(of: type) {
        case .list: "a list"
        case .map: "a map"
        case .base: (name.hasPrefix("Int") ? "an " : "a ") + name
        case .enumeration(let enumeration): named("an enum", enumeration.name)
        case .record(let record): "an id of \(self.name(of: record))"
        case .value(let name, _, _): named("a value", name)
        case .union(let name): "a union \(name)"
        case .scalar(let name): "a scalar \(name)"
        case .unknown: name
        }
    }

    /// A noun with the name of a type, if it has one.
    private func named(_ noun: String, _ name: String?) -> String {
        name.map { "\(noun) \($0)" } ?? noun
    }
}
