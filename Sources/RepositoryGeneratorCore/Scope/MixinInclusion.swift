internal import RepositorySchema

/// Puts the fields, indexes and checks of mixins into the entities that include them.
///
/// They stand behind the entity's own, mixin by mixin in the order of `include`, and say where they come from. So a
/// mixin that is added to an entity adds its columns at the end, as a database does.
struct MixinInclusion {
    private let mixins: [String: MixinDeclaration]

    /// A set in which each entity has what it includes.
    static func included(in set: SchemaSet) -> SchemaSet {
        let inclusion = MixinInclusion(set)
        var set = set
        for (index, declaration) in set.declarations.enumerated() {
            guard case .entity(let entity) = declaration, !entity.include.isEmpty else { continue }
            set.declarations[index] = .entity(inclusion.completed(entity))
        }
        return set
    }

    private init(_ set: SchemaSet) {
        let pairs = set.declarations.compactMap { declaration -> (String, MixinDeclaration)? in
            guard case .mixin(let mixin) = declaration else { return nil }
            return (mixin.header.name.value, mixin)
        }
        mixins = Dictionary(pairs, uniquingKeysWith: { first, _ in first })
    }

    private func completed(_ entity: EntityDeclaration) -> EntityDeclaration {
        // Gathered first: an entity that is changed is made anew.
        var (fields, indexes, checks) = (entity.fields, entity.indexes, entity.checks)
        var header = entity.header
        var seen: Set<String> = []
        for name in entity.include where seen.insert(name.value).inserted {
            guard let mixin = mixins[name.value] else {
                // What it would bring may be named elsewhere.
                header.isComplete = false
                continue
            }
            if !mixin.header.isComplete { header.isComplete = false }
            fields += mixin.fields.map { copy(of: $0) { $0.origin = name } }
            indexes += mixin.indexes.map { copy(of: $0) { $0.origin = name } }
            checks += mixin.checks.map { copy(of: $0) { $0.origin = name } }
        }
        var entity = entity
        entity.header = header
        entity.fields = fields
        entity.indexes = indexes
        entity.checks = checks
        return entity
    }

    private func copy<Value>(of value: Value, _ change: (inout Value) -> Void) -> Value {
        var copy = value
        change(&copy)
        return copy
    }
}

extension FieldDeclaration {
    /// Where the entity has the field from: its name, or the mixin that it includes.
    var place: SourceRange { origin?.range ?? name.range }

    /// The place in the mixin, for a diagnostic about the place that includes it.
    var mixinNotes: [Diagnostic.Note] {
        origin.map { mixin in
            [Diagnostic.Note("the mixin '\(mixin.value)' declares it here", at: name.range)]
        } ?? []
    }

    /// Whether both are of one mixin, which says itself what is wrong between them.
    func isOfSameMixin(as other: FieldDeclaration) -> Bool {
        origin != nil && origin == other.origin
    }
}
