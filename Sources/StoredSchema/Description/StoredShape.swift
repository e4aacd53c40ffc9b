/// The type of a field in the description, without names of Swift types.
///
/// Two schemas with equal shapes store values in the same way, even if their Swift types have
/// different names.
package indirect enum StoredShape: Sendable, Hashable {
    /// A single value, by the name of its type: `text`, `int64`, `decimal(2)`.
    case single(String)
    /// A reference to an entity with a composite id.
    case composite([StoredMember])
    /// An embedded value.
    case object([StoredMember])
    /// A list.
    case list(StoredShape, optionalElements: Bool)
    /// A map with string keys.
    case map(StoredShape, optionalElements: Bool)

    /// Appends the type to the input of a fingerprint. The members of an embedded value are sorted
    /// by name; the components of a composite id keep their order.
    package func write(to text: inout CanonicalText) {
        switch self {
        case .single(let name): text.add(name)
        case .composite(let members):
            text.add("composite of")
            text.add(members) { $1.write(to: &$0) }
        case .object(let members):
            text.add("object of")
            text.add(members.sorted { UTF8Order.precedes($0.name, $1.name) }) {
                $1.write(to: &$0)
            }
        case .list(let element, let optional):
            text.add("list of")
            text.add(optional)
            element.write(to: &text)
        case .map(let element, let optional):
            text.add("map of")
            text.add(optional)
            element.write(to: &text)
        }
    }
}

extension StoredShape: CustomStringConvertible {
    /// The type in words, for messages.
    package var description: String {
        switch self {
        case .single(let name): name
        case .composite: "a composite id"
        case .object: "an embedded value"
        case .list(let element, let optional): "a list of \(element)\(optional ? "?" : "")"
        case .map(let element, let optional): "a map of \(element)\(optional ? "?" : "")"
        }
    }
}

extension StoredShape: Codable {
    /// The keys of the JSON object for all types except single values.
    private enum Key: String, CodingKey {
        case composite, object, list, map, optionalElements
    }

    /// Decodes a string for a single value, or an object for any other type.
    package init(from decoder: any Decoder) throws {
        if let name = try? decoder.singleValueContainer().decode(String.self) {
            self = .single(name)
            return
        }
        let container = try decoder.container(keyedBy: Key.self)
        let optional = try container.decodeIfPresent(Bool.self, forKey: .optionalElements) ?? false
        if let members = try container.decodeIfPresent([StoredMember].self, forKey: .composite) {
            self = .composite(members)
        } else if let members = try container.decodeIfPresent([StoredMember].self, forKey: .object)
        {
            self = .object(members)
        } else if let element = try container.decodeIfPresent(StoredShape.self, forKey: .list) {
            self = .list(element, optionalElements: optional)
        } else {
            self = .map(
                try container.decode(StoredShape.self, forKey: .map), optionalElements: optional)
        }
    }

    /// Encodes a string for a single value, or an object for any other type.
    package func encode(to encoder: any Encoder) throws {
        if case .single(let name) = self {
            var container = encoder.singleValueContainer()
            try container.encode(name)
            return
        }
        var container = encoder.container(keyedBy: Key.self)
        switch self {
        case .single: break
        case .composite(let members): try container.encode(members, forKey: .composite)
        case .object(let members): try container.encode(members, forKey: .object)
        case .list(let element, let optional):
            try container.encode(element, forKey: .list)
            if optional { try container.encode(true, forKey: .optionalElements) }
        case .map(let element, let optional):
            try container.encode(element, forKey: .map)
            if optional { try container.encode(true, forKey: .optionalElements) }
        }
    }
}

/// A member of an embedded value, or a component of a composite id.
package struct StoredMember: Sendable, Hashable, Codable {
    /// The name, which is the key in a document.
    package var name: String
    /// The type.
    package var type: StoredShape
    /// Whether it may be null.
    package var isOptional: Bool
    /// The constant default.
    package var defaultValue: StoredConstant?
    /// The cases of its enum; see ``StoredField/cases``.
    package var cases: [String]?

    /// Its earlier names. They are not stored.
    package var renamedFrom: EarlierNames = []

    /// What is stored: everything but the earlier names.
    private enum CodingKeys: String, CodingKey {
        case name, type, isOptional, defaultValue, cases
    }

    /// Describes a member.
    ///
    /// - Parameters:
    ///   - name: the name.
    ///   - type: the type.
    ///   - isOptional: whether it may be null.
    ///   - defaultValue: the constant default.
    ///   - cases: the raw strings of the cases of its enum, in any order.
    ///   - renamedFrom: its earlier names.
    package init(
        name: String, type: StoredShape, isOptional: Bool = false,
        defaultValue: StoredConstant? = nil, cases: [String]? = nil,
        renamedFrom: EarlierNames = []
    ) {
        self.name = name
        self.type = type
        self.isOptional = isOptional
        self.defaultValue = defaultValue
        self.cases = cases?.sorted(by: UTF8Order.precedes)
        self.renamedFrom = renamedFrom
    }

    /// Appends the member to the input of a fingerprint. Enum cases are not included.
    package func write(to text: inout CanonicalText) {
        text.add(name)
        type.write(to: &text)
        text.add(isOptional)
        text.add(defaultValue) { $1.write(to: &$0) }
    }
}
