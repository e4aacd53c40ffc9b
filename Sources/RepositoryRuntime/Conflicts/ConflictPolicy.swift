/// What a save does if a record with the entity's id is already stored.
///
/// With every policy, a record that is not stored yet is created with version 1.
public struct ConflictPolicy<Model: Entity>: Sendable {
    /// The policy as a value, which ``ConflictSave`` interprets. The originals of a merge are
    /// stored by id.
    enum Rule: Sendable {
        case fail
        case keepStored
        case replace
        case merge([Model.ID: Model])
    }

    let rule: Rule
}

extension ConflictPolicy {
    /// Saves only if the stored record is the one that was read.
    ///
    /// The save throws `versionConflict` if the stored record has another version than the entity.
    /// If the entity has no version field, any stored record causes `recordAlreadyExists`.
    public static var fail: Self { Self(rule: .fail) }

    /// Keeps the stored record unchanged.
    public static var keepStored: Self { Self(rule: .keepStored) }

    /// Replaces the stored record, whatever its version, and increments the version.
    public static var replace: Self { Self(rule: .replace) }

    /// Merges the changes made since the record was read into the stored record, field by field.
    ///
    /// | Changed since `original` | Result |
    /// |---|---|
    /// | only in the given entity | the value of the given entity |
    /// | only in the stored record | the stored value |
    /// | in both, to the same value | that value |
    /// | in both, to different values | the save throws `versionConflict` and stores nothing |
    ///
    /// The error names the field, and both versions if the entity has a version field. The fields
    /// of embedded values are merged individually; lists and maps are merged as a whole. Fields
    /// declared `onUpdate: now` get a new timestamp and never conflict. If no field changes,
    /// nothing is written. If the record was deleted, the save throws `recordNotFound`.
    ///
    /// - Parameter original: the entity as it was read.
    public static func merge(from original: Model) -> Self { merge(from: [original]) }

    /// Merges the changes of several entities; see `merge(from:)` for one entity.
    ///
    /// An entity without an original is saved as with ``fail``.
    ///
    /// - Parameter originals: the entities as they were read, in any order.
    public static func merge(from originals: [Model]) -> Self {
        Self(rule: .merge(Dictionary(originals.map { ($0.id, $0) }, uniquingKeysWith: { $1 })))
    }
}
