internal import ConditionLanguage
internal import RepositorySchema

/// Rules for mixins.
extension Validator {
    /// Checks a mixin by itself. Everything that depends on an including entity is checked at the
    /// entity.
    ///
    /// ```yaml
    /// mixin: Dated
    /// fields:
    ///   createdAt: { type: Date, default: now }
    /// indexes:
    ///   - createdAt
    ///   - { fields: [author] }   # allowed: may be a field of an including entity
    /// ```
    mutating func check(_ mixin: MixinDeclaration) {
        let header = mixin.header
        if mixin.fields.isEmpty, mixin.indexes.isEmpty, mixin.checks.isEmpty, header.isComplete {
            add(
                "the mixin '\(header.name.value)' has no fields", at: header.name.range,
                help: "add one under 'fields'")
        }
        checkMembers(mixin.fields, idName: nil)
        checkEarlierNames(mixin.fields)
        for field in mixin.fields {
            check(field)
            checkStored(field)
        }
        checkVersion(in: mixin.fields)
        checkColumns(of: mixin.fields)
        checkIndexes(
            mixin.indexes, over: SchemaScope.byName(mixin.fields),
            ConditionContext(mixin, scope: scope))
        checkConditions(of: mixin)
    }

    /// Checks the mixins that an entity includes.
    ///
    /// A mixin can only be included once, and only entities include mixins.
    mutating func checkInclude(of entity: EntityDeclaration) {
        var seen: [String: SourceRange] = [:]
        for name in entity.include {
            if let first = seen[name.value] {
                add(
                    "the mixin '\(name.value)' is included twice", at: name.range,
                    help: "remove one of them",
                    notes: [Diagnostic.Note("the other one stands here", at: first)])
                continue
            }
            seen[name.value] = name.range
            checkIncluded(name)
        }
    }

    /// Checks that a name in `include` is a declared mixin.
    private mutating func checkIncluded(_ name: Located<String>) {
        switch scope.declarations[name.value] {
        case .mixin: return
        case let other?:
            add(
                "'\(name.value)' is no mixin, but \(other.kindInWords)", at: name.range,
                help: "declare what entities share with 'mixin: …'",
                notes: [Diagnostic.Note("it is declared here", at: other.header.name.range)])
        case nil:
            // The name itself was already reported as invalid.
            guard scope.set.isComplete, !scope.refusedNames.contains(name.value),
                name.value.first?.isLowercase != true
            else { return }
            let mixins = scope.set.declarations.compactMap { declaration -> String? in
                guard case .mixin(let mixin) = declaration else { return nil }
                return mixin.header.name.value
            }
            add(
                "there is no mixin '\(name.value)'", at: name.range,
                help: mixins.isEmpty
                    ? "declare it: 'mixin: \(name.value)'"
                    : NearestName.help(for: name.value, among: mixins, kind: "mixins"))
        }
    }

    /// Reports that an entity has the same property twice, at least once from a mixin.
    ///
    /// The diagnostic is located at the entry of `include`. Notes point to both declarations.
    ///
    /// ```yaml
    /// entity: Book
    /// include: [Dated]   # reported, if 'Dated' declares 'createdAt'
    /// fields:
    ///   createdAt: Date
    /// ```
    mutating func includedTwice(_ field: FieldDeclaration, _ first: FieldDeclaration, isId: Bool) {
        guard let mixin = field.origin else { return }
        let name = field.name.value
        let other =
            if isId {
                "is the entity's id"
            } else if let other = first.origin {
                "comes from the mixin '\(other.value)' as well"
            } else if first.name.value == name {
                "is a field of the entity as well"
            } else {
                "becomes the same property as '\(first.name.value)'"
            }
        add(
            "'\(name)' of the mixin '\(mixin.value)' \(other)", at: mixin.range,
            help: "rename one of them, or leave the mixin out",
            notes: field.mixinNotes + [
                Diagnostic.Note("the other one is declared here", at: first.name.range)
            ])
    }
}

extension Declaration {
    /// The kind of declaration with its article, for messages.
    var kindInWords: String {
        switch self {
        case .entity: "an entity"
        case .value: "a value"
        case .union: "a union"
        case .enumeration: "an enum"
        case .scalar: "a scalar"
        case .mixin: "a mixin"
        }
    }
}
