internal import Mustache

/// The render context that the structs of entities, embedded values and union cases have in common.
struct RecordLayer {
    /// The doc comment and the attributes, one line each.
    var heading: [String]
    /// The attributes alone.
    var availability: [String]
    /// The access level followed by a space, or an empty string.
    var access: String
    /// The type's name.
    var name: String
    /// The name that resolves to the type everywhere in the output.
    var type: String
    /// The conformances, as written after the colon: `Entity, Priced`.
    var conformances: String
    /// The type in prose, with its article: `a playlist track`.
    var noun: String
    /// The stored properties with their doc comments, one line each.
    var properties: [String]
    /// The parameters of the initialiser, one line each.
    var parameters: [String]
    /// The statements of the initialiser.
    var assignments: [String]
    /// The query fields with their doc comments, one line each.
    var queryFields: [String]
    /// The statements of `==`.
    var comparisons: [String]
    /// The statements of `hash(into:)`. Empty if the compiler can synthesise the method.
    var hashes: [String]
    /// The extension that hides sensitive fields from descriptions.
    var description: DescriptionLayer?
    /// The mapper.
    var mapper: MapperLayer
}

extension RecordLayer: MemberLayer {
    static let members = Members<Self, Any>([
        "heading": { $0.heading },
        "availability": { $0.availability },
        "access": { $0.access },
        "name": { $0.name },
        "type": { $0.type },
        "otherName": { orFalse($0.type == $0.name ? nil : $0.type) },
        "conformances": { $0.conformances },
        "noun": { $0.noun },
        "properties": { $0.properties.block(4) },
        "hasParameters": { !$0.parameters.isEmpty },
        "parameters": { $0.parameters.block(8) },
        "assignments": { $0.assignments.block(8) },
        "queryFields": { $0.queryFields.block(8) },
        "hasQueryFields": { !$0.queryFields.isEmpty },
        "comparisons": { $0.comparisons.block(8) },
        "hasHashes": { !$0.hashes.isEmpty },
        "recordHashes": { $0.hashes.block(8) },
        "description": { orFalse($0.description) },
        "mapper": { $0.mapper },
    ])
}

/// The render context of the description of a type with sensitive fields.
struct DescriptionLayer {
    /// The protocols that the extension conforms to.
    var protocols: String
    /// The name of the description property. Nil if fields of the type use both possible names.
    var property: String?
    /// Whether the extension declares a mirror. It does not if a field uses that name; the runtime
    /// then provides the mirror.
    var hasMirror: Bool
}

extension DescriptionLayer: MemberLayer {
    static let members = Members<Self, Any>([
        "protocols": { $0.protocols },
        "property": { orFalse($0.property) },
        "hasMembers": { $0.property != nil || $0.hasMirror },
        "hasMirror": { $0.hasMirror },
        "opening": { $0.property == nil && !$0.hasMirror ? "{}" : "{" },
    ])
}

/// The render context of an embedded value: the struct and its mapper.
struct ValueLayer {
    /// The struct and the mapper.
    var record: RecordLayer
}

extension ValueLayer: MemberLayer {
    static let members = Members<Self, Any>([:]).followed(by: RecordLayer.members) { $0.record }
}
