internal import RepositorySchema
internal import StoredSchema

/// A function of the generated protocol, which a change of a version calls.
struct MigrationCall {
    /// What the function does.
    enum Kind {
        /// Returns the value of a field of an entity or value, from the record or value before. A
        /// conversion also gets the old value, by the name of its property.
        case value(FieldDeclaration, converting: FieldDeclaration?)
        /// Converts a whole record of an entity with this name.
        case record(Located<String>)
        /// Migrates several entities together.
        case tables(TablesStep)
    }

    /// The name of the function.
    let name: String
    /// What it does.
    let kind: Kind
    /// The number of the version.
    let number: Int
    /// The name of the entity or value before the version.
    let oldOwner: String
    /// The name of the entity or value after it.
    let owner: String
    /// The declarations before the version.
    let old: SchemaScope
    /// The declarations after it.
    let new: SchemaScope

    /// The place of the field or entity.
    var place: SourceRange {
        switch kind {
        case .value(let field, _): field.name.range
        case .record(let name): name.range
        case .tables(let step): step.decision.range
        }
    }

    /// Whether a field is the whole id of the entity before the version, which has a type of its
    /// own.
    func isID(_ field: FieldDeclaration) -> Bool {
        guard case .entity(let entity) = old.declarations[oldOwner],
            case .single(let id) = entity.identity
        else { return false }
        return id.name.range == field.name.range
    }

    /// Whether both are calls of one function at two places of the stored data.
    func isSame(as other: MigrationCall) -> Bool {
        place == other.place && UTF8Order.areEqual(oldOwner, other.oldOwner)
    }
}
