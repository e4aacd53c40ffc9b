internal import RepositorySchema

/// Rules for references and for cycles between declarations.
extension Validator {
    /// Checks the keys of a field that concern its storage. They apply to fields of entities only.
    mutating func checkStored(_ field: FieldDeclaration) {
        checkDeleteRule(of: field)
        checkStamps(of: field)
        checkSingleIndex(of: field)
        checkStoredForm(of: field)
        checkCaseFolding(of: field)
        checkExternal(field)
        checkEncrypted(field)
    }

    /// Checks `onCreate` and `onUpdate`: only a date has them, and a date of creation no default.
    private mutating func checkStamps(of field: FieldDeclaration) {
        let type = field.type.value
        let stamps = [("onCreate", field.onCreateNow), ("onUpdate", field.onUpdateNow)]
        for case (let key, let rule?) in stamps where type.unwrapped != .base(.date) {
            add(
                "'\(key): now' is for a Date, not for \(type.description)", at: rule,
                help: "remove it")
        }
        guard field.onCreateNow != nil, type.unwrapped == .base(.date),
            let value = field.defaultValue
        else { return }
        add(
            "'\(field.name.value)' has 'onCreate: now', so that no default is ever stored",
            at: value.range, help: "remove 'default', or 'onCreate' if callers may set the date")
    }

    /// Checks `onDelete`: only single references have a delete rule, and `setNull` requires an
    /// optional field.
    ///
    /// The default rule of a single reference is `restrict`.
    private mutating func checkDeleteRule(of field: FieldDeclaration) {
        guard let rule = field.onDelete else { return }
        let type = field.type.value
        guard scope.singleReference(field) != nil else {
            if case .unknown = scope.kind(of: type) { return }
            // `onDelete: none` is allowed: it states that the references of a list or map are not
            // enforced.
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

    /// Checks that required references form no cycle. Otherwise no first record of these entities
    /// could be stored.
    ///
    /// References with `onDelete: none` are not enforced and do not count, unless they are part of
    /// an id.
    ///
    /// The diagnostic is located at the first reference of the cycle. Notes point to the others.
    ///
    /// ```yaml
    /// entity: Author
    /// fields: { favourite: Book }   # reported
    /// ---
    /// entity: Book
    /// fields: { author: Author }    # note: leads back to 'Author'
    /// ```
    mutating func checkReferenceCircles() {
        var graph = DependencyGraph()
        for entity in scope.entities {
            let identity = Set(scope.identityFields(of: entity).map(\.name.value))
            for field in scope.fields(of: entity) {
                guard !field.type.value.isOptional, let other = scope.singleReference(field),
                    field.deleteRule != .none
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

    /// Checks that no value or union contains itself, directly or through optionals, lists, maps or
    /// other embedded types.
    ///
    /// A value is stored as part of its record, so such a value would be infinitely large.
    ///
    /// ```yaml
    /// value: Node
    /// fields: { label: String, children: [Node] }   # reported
    /// ```
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
