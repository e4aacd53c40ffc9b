internal import Mustache

/// What the structs of entities and of embedded values share.
struct RecordLayer {
    /// The doc comment and the attributes, a line each.
    var heading: [String]
    /// The attributes alone.
    var availability: [String]
    /// The access level with a space after it, or nothing.
    var access: String
    /// The type's name.
    var name: String
    /// The name that means the type everywhere in the output.
    var type: String
    /// What stands after the colon: `Entity, Priced`.
    var conformances: String
    /// The type in prose, with its article: `a playlist track`.
    var noun: String
    /// The stored properties with their doc comments, a line each.
    var properties: [String]
    /// The initialiser's parameters, a line each.
    var parameters: [String]
    /// The initialiser's statements.
    var assignments: [String]
    /// The fields for queries with their doc comments, a line each.
    var queryFields: [String]
    /// The statements of `==`.
    var comparisons: [String]
    /// The statements of `hash(into:)`, where Swift cannot make it.
    var hashes: [String]
    /// The extension that hides sensitive fields.
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

/// The descriptions of a type with sensitive fields.
struct DescriptionLayer {
    /// What the extension conforms to.
    var protocols: String
    /// The property that describes: nil where the fields take both names.
    var property: String?
    /// Whether the mirror is declared: not where a field takes its name, and the runtime has it.
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

/// An embedded value: the struct and its mapper.
struct ValueLayer {
    var record: RecordLayer
}

extension ValueLayer: MemberLayer {
    static let members = Members<Self, Any>([:]).followed(by: RecordLayer.members) { $0.record }
}
