internal import StoredSchema

extension StoredType {
    /// Creates the type of a stored shape; nil for a type that this version of the library does not
    /// know.
    init?(_ shape: StoredShape) {
        switch shape {
        case .single(let name):
            guard let type = Self.single(name) else { return nil }
            self = type
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

    /// The types of single values by name, except decimals with a scale.
    private static let singles: [String: StoredType] = [
        "bool": .bool, "int8": .int8, "int16": .int16, "int32": .int32, "int64": .int64,
        "uint8": .uint8, "uint16": .uint16, "uint32": .uint32, "float": .float, "double": .double,
        "decimal": .decimal(scale: nil), "date": .date, "text": .text, "url": .url, "uuid": .uuid,
        "data": .data,
    ]

    /// Returns the type of a single value by its name, such as `decimal(2)`.
    private static func single(_ name: String) -> StoredType? {
        if let type = singles[name] { return type }
        guard name.hasPrefix("decimal("), name.hasSuffix(")"),
            let scale = Int(name.dropFirst("decimal(".count).dropLast())
        else { return nil }
        return .decimal(scale: scale)
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
