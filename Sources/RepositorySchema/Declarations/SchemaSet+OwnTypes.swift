extension SchemaSet {
    /// Lets the set's own types hide base types that were added to the language after its first
    /// version; see ``BaseType/isReserved``.
    ///
    /// The parser reads the name of such a base type as the base type, because it does not know the
    /// declarations of other files. A file whose fields change gets another revision, because it
    /// means something else although its text is the same.
    public mutating func resolveOwnTypes() {
        let hideable = Set(BaseType.written.filter { !$0.isReserved }.map(\.rawValue))
        let declared = declarations.filter(\.isType).map(\.header.name) + refusedNames
        let hidden = Set(declared.map(\.value)).intersection(hideable)
        guard !hidden.isEmpty else { return }
        var changed: Set<String> = []
        for index in declarations.indices {
            let file = declarations[index].header.sourceFile
            declarations[index].visitFields { field in
                let type = field.type.value.hiding(hidden)
                if type != field.type.value {
                    changed.insert(file)
                    field.type.value = type
                }
            }
        }
        // The revisions of texts are not negative.
        for file in changed { revisions[file] = revisions[file].map { ~$0 } }
    }
}

extension Declaration {
    /// Whether fields can have the declared type.
    fileprivate var isType: Bool {
        if case .mixin = self { return false }
        return true
    }

    /// Calls a closure with each field that is written in the declaration.
    fileprivate mutating func visitFields(_ visit: (inout FieldDeclaration) -> Void) {
        func visitAll(_ fields: inout [FieldDeclaration]) {
            for index in fields.indices { visit(&fields[index]) }
        }
        switch self {
        case .entity(var entity):
            if case .single(var id) = entity.identity {
                visit(&id)
                entity.identity = .single(id)
            }
            visitAll(&entity.fields)
            self = .entity(entity)
        case .value(var value):
            visitAll(&value.fields)
            self = .value(value)
        case .mixin(var mixin):
            visitAll(&mixin.fields)
            self = .mixin(mixin)
        case .union(var union):
            for index in union.cases.indices { visitAll(&union.cases[index].fields) }
            self = .union(union)
        case .enumeration, .scalar: break
        }
    }
}

extension TypeExpression {
    /// Returns the type with hidden base types replaced by the declared types of their names.
    fileprivate func hiding(_ names: Set<String>) -> TypeExpression {
        switch self {
        case .base(let base): names.contains(base.rawValue) ? .named(base.rawValue) : self
        case .named: self
        case .optional(let inner): .optional(inner.hiding(names))
        case .list(let inner): .list(inner.hiding(names))
        case .map(let inner): .map(inner.hiding(names))
        }
    }
}
