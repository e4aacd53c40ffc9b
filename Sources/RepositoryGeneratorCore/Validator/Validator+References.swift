internal import RepositorySchema

extension Validator {
    /// Checks what a field of an entity says about how it is stored.
    mutating func checkStored(_ field: FieldDeclaration) {
        checkDeleteRule(of: field)
        if let rule = field.onUpdateNow, field.type.value.unwrapped != .base(.date) {
            add(
                "'onUpdate: now' is for a Date, not for \(field.type.value.description)", at: rule,
                help: "remove it")
        }
        checkSingleIndex(of: field)
        checkStoredForm(of: field)
        checkCaseFolding(of: field)
    }

    private mutating func checkDeleteRule(of field: FieldDeclaration) {
        guard let rule = field.onDelete else { return }
        let type = field.type.value
        guard scope.singleReference(field) != nil else {
            if case .unknown = scope.kind(of: type) { return }
            // That nothing watches the references of a list or map may be said.
            if scope.isReference(type), rule.value == DeleteRule.none { return }
            add(
                scope.isReference(type)
                    ? "'onDelete' is for a single reference; what a list or map refers to is not watched"
                    : "'onDelete' is for references, and \(type.description) is no entity",
                at: rule.range,
                help: scope.isReference(type) ? "write 'onDelete: none', or remove it" : "remove it"
            )
            return
        }
        if rule.value == .setNull, !type.isOptional {
            add(
                "'onDelete: setNull' needs an optional field", at: rule.range,
                help: "write the type as '\(type.description)?', or choose 'restrict' or 'cascade'")
        }
    }

    /// Checks that no circle of required references keeps the first record of an entity from being
    /// stored.
    mutating func checkReferenceCircles() {
        var graph = DependencyGraph()
        for entity in scope.entities {
            let identity = Set(scope.identityFields(of: entity).map(\.name.value))
            for field in scope.fields(of: entity) {
                guard !field.type.value.isOptional, let other = scope.singleReference(field),
                    field.onDelete?.value != DeleteRule.none
                        || identity.contains(field.name.value)
                else { continue }
                graph.add(
                    from: entity.header.name.value, to: other.header.name.value,
                    at: Located(field.name.value, at: field.place))
            }
        }
        for circle in graph.circles() {
            guard let first = circle.first else { continue }
            let isAlone = circle.count == 1
            add(
                isAlone
                    ? "'\(first.label.value)' refers to its own entity and is required: "
                        + "no first record could be stored"
                    : "these references form a circle and all are required: "
                        + "no first record could be stored",
                at: first.label.range,
                help: isAlone
                    ? "make it optional: '\(first.target)?'"
                    : "make one of them optional with a '?' behind its type",
                notes: circle.dropFirst().map {
                    Diagnostic.Note(
                        "'\($0.label.value)' leads on to '\($0.target)'", at: $0.label.range)
                })
        }
    }

    /// Checks that no value and no union holds itself, not even through optionals, lists, maps or others of them.
    mutating func checkValueCircles() {
        var graph = DependencyGraph()
        for declaration in scope.set.declarations {
            for field in declaration.embeddedFields {
                let other: DeclarationHeader
                switch scope.kind(of: field.type.value) {
                case .value(let value): other = value.header
                case .union(let union): other = union.header
                default: continue
                }
                graph.add(
                    from: declaration.header.name.value, to: other.name.value, at: field.name)
            }
        }
        for circle in graph.circles() {
            guard let first = circle.first else { continue }
            let kind =
                if case .union = scope.declarations[first.source] { "union" } else { "value" }
            add(
                "the \(kind) '\(first.source)' holds itself", at: first.label.range,
                help: "declare it as an 'entity' and refer to it",
                notes: circle.dropFirst().map {
                    Diagnostic.Note("through '\($0.label.value)'", at: $0.label.range)
                })
        }
    }
}

extension Declaration {
    /// The fields of a value, or of all cases of a union.
    fileprivate var embeddedFields: [FieldDeclaration] {
        switch self {
        case .value(let value): value.fields
        case .union(let union): union.cases.flatMap(\.fields)
        case .entity, .enumeration, .scalar, .mixin: []
        }
    }
}
