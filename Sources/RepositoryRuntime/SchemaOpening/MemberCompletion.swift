internal import StoredSchema

/// Gives embedded values the members that the declared type has and the stored one lacks, as the
/// mapper does when it decodes a stored record: by the earlier names and defaults of the members.
indirect enum MemberCompletion: Sendable {
    /// Completes an embedded value.
    case members([Member])
    /// Completes the elements of a list.
    case elements(MemberCompletion)
    /// Completes the values of a map.
    case mapValues(MemberCompletion)

    /// A member of the declared type.
    struct Member: Sendable {
        /// The name.
        let name: String
        /// The stored name; nil if the member is new.
        let storedName: String?
        /// The value of a new member; nil for null.
        let value: StoredValue?
        /// The completion of the member itself.
        let inner: MemberCompletion?
    }

    /// Compares a stored type with a declared one; the result is nil if values need no completion.
    init?(_ stored: StoredShape, _ declared: StoredType) {
        switch (stored, declared) {
        case (.object(let old), .object(let layout)), (.composite(let old), .composite(let layout)):
            let members = layout.fields.map { Member($0, in: old, layout) }
            let isEqual = members.allSatisfy { member in
                member.inner == nil && member.value == nil
                    && (member.storedName.map { $0 == member.name } ?? true)
            }
            if isEqual { return nil }
            self = .members(members)
        case (.list(let old, _), .list(let new, _)):
            guard let inner = MemberCompletion(old, new) else { return nil }
            self = .elements(inner)
        case (.map(let old, _), .map(let new, _)):
            guard let inner = MemberCompletion(old, new) else { return nil }
            self = .mapValues(inner)
        default: return nil
        }
    }

    /// Returns the completed value. Null stays null.
    func completed(_ value: StoredValue) -> StoredValue {
        switch (self, value) {
        case (.members(let members), .object(let old)):
            var new: [String: StoredValue] = [:]
            for member in members {
                let stored = member.storedName.map { old[$0] ?? .null } ?? member.value ?? .null
                let value = member.inner?.completed(stored) ?? stored
                if value != .null { new[member.name] = value }
            }
            return .object(new)
        case (.elements(let inner), .list(let elements)):
            return .list(elements.map(inner.completed))
        case (.mapValues(let inner), .object(let values)):
            return .object(values.mapValues(inner.completed))
        default: return value
        }
    }
}

extension MemberCompletion.Member {
    /// Finds the stored member of a declared one: by its name, or by an earlier name that no
    /// declared member has.
    fileprivate init(
        _ field: FieldDescription, in stored: [StoredMember], _ layout: FieldLayout
    ) {
        let index = layout.indexByKey[field.name]
        let names =
            [field.name] + field.renamedFrom.filter { layout.indexByKey[$0] == index }
        let old = names.lazy.compactMap { name in stored.first { $0.name == name } }.first
        name = field.name
        storedName = old?.name
        value = old == nil ? field.defaultValue : nil
        inner = old.flatMap { MemberCompletion($0.type, field.type) }
    }
}
