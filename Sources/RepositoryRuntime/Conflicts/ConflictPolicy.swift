/// What a save does when there is a record of the entity's id already.
///
/// In every policy a record that is not there is created, with version 1.
public struct ConflictPolicy<Model: Entity>: Sendable {
    enum Rule: Sendable {
        case fail
        case keepStored
        case replace
        case merge([Model.ID: Model])
    }

    let rule: Rule
}

extension ConflictPolicy {
    /// The record must be the one that was read: `versionConflict` where it has another version; an entity without a
    /// version says nothing of what was read, so that any record there is `recordAlreadyExists`.
    public static var fail: Self { Self(rule: .fail) }

    /// The record stays as it is, whatever it is.
    public static var keepStored: Self { Self(rule: .keepStored) }

    /// The record is replaced, whatever version it has, which is then increased by 1.
    public static var replace: Self { Self(rule: .replace) }

    /// What was changed since the record was read goes into the record, field by field.
    ///
    /// A field that only the entity given has changed becomes as it is there; one that only the store has changed stays
    /// as it is stored; one that both have changed to the same is that. One that both have changed to something else is
    /// `versionConflict`, with the field, and with the versions read and stored where the entity has versions; nothing
    /// is stored then. Fields of embedded values count one by one, lists and maps as a whole. Fields declared
    /// `onUpdate: now` are stamped and never conflict. Where nothing is left to be changed nothing is
    /// written. A record that is gone is `recordNotFound`: its deletion was a change too.
    /// - Parameter original: the entity as it was read.
    public static func merge(from original: Model) -> Self { merge(from: [original]) }

    /// The same for several entities; one of which no original is given is saved as by ``fail``.
    ///
    /// - Parameter originals: the entities as they were read, in any order.
    public static func merge(from originals: [Model]) -> Self {
        Self(rule: .merge(Dictionary(originals.map { ($0.id, $0) }, uniquingKeysWith: { $1 })))
    }
}
