internal import RepositorySchema

/// Copies the fields, indexes and checks of mixins into the entities that include them.
///
/// Included members follow the entity's own, mixin by mixin in the order of `include`, and record
/// their mixin as `origin`. A mixin that is added to an entity therefore appends its columns, as
/// `ALTER TABLE … ADD COLUMN` does.
///
/// For example, `include: [Dated]` of this mixin adds the columns `created_at` and `updated_at`
/// after those of the entity:
///
/// ```yaml
/// mixin: Dated
/// fields:
///   createdAt: { type: Date, default: now }
///   updatedAt: { type: Date, default: now, onUpdate: now }
/// ```
struct MixinInclusion {
    private let mixins: [String: MixinDeclaration]

    /// Returns the set with every entity's mixins expanded.
    static func included(in set: SchemaSet) -> SchemaSet {
        let inclusion = MixinInclusion(set)
        var set = set
        for (index, declaration) in set.declarations.enumerated() {
            guard case .entity(var entity) = declaration else { continue }
            if !entity.include.isEmpty { entity = inclusion.completed(entity) }
            if let index = entity.distributionIndex { entity.indexes.append(index) }
            if entity.isReadOnly {
                entity.fields = entity.fields.map { field in
                    var field = field
                    field.details.isOfReadOnlyEntity = true
                    return field
                }
            }
            set.declarations[index] = .entity(entity)
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

    /// Returns the entity with the members of its mixins. A mixin that is included twice is
    /// expanded once.
    private func completed(_ entity: EntityDeclaration) -> EntityDeclaration {
        // The arrays are collected in locals first, because each change to the entity itself would
        // copy it.
        var (fields, indexes, checks) = (entity.fields, entity.indexes, entity.checks)
        var header = entity.header
        var seen: Set<String> = []
        for name in entity.include where seen.insert(name.value).inserted {
            guard let mixin = mixins[name.value] else {
                // The missing mixin may declare members that are referenced elsewhere.
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
    /// The source location of the field in the entity: its name, or the name of the mixin in
    /// `include`.
    var place: SourceRange { origin?.range ?? name.range }

    /// A note that points to the declaration in the mixin, for diagnostics that are reported at the
    /// `include`.
    var mixinNotes: [Diagnostic.Note] {
        origin.map { mixin in
            [Diagnostic.Note("the mixin '\(mixin.value)' declares it here", at: name.range)]
        } ?? []
    }

    /// Returns whether both fields come from the same mixin. The mixin itself then reports a
    /// conflict between them.
    func isOfSameMixin(as other: FieldDeclaration) -> Bool {
        origin != nil && origin == other.origin
    }
}
