internal import StoredSchema

extension StoredType {
    /// Creates the type of a stored shape; nil for a type that this version of the library does not
    /// know.
    init?(_ shape: StoredShape) {
        switch shape {
        case .single(let name):
            guard let type = StoredBaseType.parsed(name) else { return nil }
            self.init(type.base, scale: type.scale)
        case .composite(let members):
            guard let layout = FieldLayout(members) else { return nil }
            self = .composite(layout)
        case .object(let members):
            guard let layout = FieldLayout(members) else { return nil }
            self = .object(layout)
        case .list(let element, let optional):
            guard let type = StoredType(element) else { return nil }
            self = .list(type, optionalElements: optional)
        case .map(let element, let optional):
            guard let type = StoredType(element) else { return nil }
            self = .map(type, optionalElements: optional)
        }
    }
}

extension FieldLayout {
    /// Creates the layout of an embedded value or composite id; nil if the type of a member is
    /// unknown.
    fileprivate convenience init?(_ members: [StoredMember]) {
        let fields = members.compactMap { member in
            StoredType(member.type).map { type in
                FieldDescription(
                    member.name, type, optional: member.isOptional,
                    default: member.defaultValue.map(StoredValue.init),
                    renamedFrom: member.renamedFrom.names, sensitive: true)
            }
        }
        guard fields.count == members.count else { return nil }
        self.init("a stored value", fields)
    }
}
