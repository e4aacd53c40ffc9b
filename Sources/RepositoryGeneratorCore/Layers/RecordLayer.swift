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

extension RecordLayer {
    func child(named name: String) -> Any? {
        switch name {
        case "heading": heading
        case "availability": availability
        case "access": access
        case "name": self.name
        case "type": type
        case "otherName": type == self.name ? false : type
        case "conformances": conformances
        case "noun": noun
        case "properties": properties.block(4)
        case "hasParameters": !parameters.isEmpty
        case "parameters": parameters.block(8)
        case "assignments": assignments.block(8)
        case "queryFields": queryFields.block(8)
        case "hasQueryFields": !queryFields.isEmpty
        case "comparisons": comparisons.block(8)
        case "hasHashes": !hashes.isEmpty
        case "recordHashes": hashes.block(8)
        case "description": description ?? false
        case "mapper": mapper
        default: nil
        }
    }
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

extension DescriptionLayer: MustacheParent {
    func child(named name: String) -> Any? {
        switch name {
        case "protocols": protocols
        case "property": property ?? false
        case "hasMirror": hasMirror
        case "hasMembers": property != nil || hasMirror
        case "opening": property == nil && !hasMirror ? "{}" : "{"
        default: nil
        }
    }
}

/// An embedded value: the struct and its mapper.
struct ValueLayer {
    var record: RecordLayer
}

extension ValueLayer: MustacheParent {
    func child(named name: String) -> Any? { record.child(named: name) }
}
