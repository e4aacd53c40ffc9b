internal import RepositoryRuntime

/// A value of a record that changes of a version are applied to.
indirect enum ModelValue {
    /// A value without parts.
    case plain(StoredValue)
    /// A list.
    case list([ModelValue])
    /// An embedded value or a map.
    case object(ModelObject)

    /// Takes the value as it is before a version.
    init(_ value: StoredValue) {
        switch value {
        case .list(let elements): self = .list(elements.map { ModelValue($0) })
        case .object(let members): self = .object(ModelObject(members))
        default: self = .plain(value)
        }
    }

    /// The value after the changes so far. Embedded values lack the members that are null.
    var stored: StoredValue {
        switch self {
        case .plain(let value): value
        case .list(let elements): .list(elements.map(\.stored))
        case .object(let object): .object(object.stored)
        }
    }
}

/// A record, an embedded value or a map, with its members before the version and after the changes
/// so far. A member that is null is missing.
final class ModelObject {
    /// The members before the version.
    let before: [String: StoredValue]
    /// The members after the changes so far.
    var members: [String: ModelValue]

    /// Takes the members as they are before a version.
    init(_ members: [String: StoredValue]) {
        before = members.filter { $0.value != .null }
        self.members = before.mapValues { ModelValue($0) }
    }

    /// The members after the changes so far.
    var stored: [String: StoredValue] { members.mapValues(\.stored) }

    /// Sets a member. Null removes it.
    func set(_ name: String, _ value: StoredValue) {
        members[name] = value == .null ? nil : ModelValue(value)
    }

    /// Sets all members to what a function returned. Those that it left unchanged keep their parts,
    /// so that later functions of the version see them as they were.
    func replace(with row: [String: StoredValue]) {
        let old = stored
        for name in old.keys where row[name] == nil { members[name] = nil }
        for (name, value) in row where old[name] != value { set(name, value) }
    }
}
