internal import Mustache

/// The render context of a closed enum: all raw values are known.
struct EnumerationLayer {
    /// The doc comment and the attributes, one line each.
    var heading: [String]
    /// The attributes alone.
    var availability: [String]
    /// The access level followed by a space, or an empty string.
    var access: String
    /// The name of the enum.
    var name: String
    /// The name that resolves to the type everywhere in the output.
    var type: String
    /// The raw type, `String` or `Int`.
    var rawType: String
    /// The cases with their doc comments, one line each.
    var cases: [String]
}

extension EnumerationLayer: MemberLayer {
    static let members = Members<Self, Any>([
        "heading": { $0.heading },
        "availability": { $0.availability },
        "access": { $0.access },
        "name": { $0.name },
        "type": { $0.type },
        "otherName": { orFalse($0.type == $0.name ? nil : $0.type) },
        "rawType": { $0.rawType },
        "cases": { $0.cases },
        "alias": { !$0.availability.isEmpty },
    ])
}

/// The render context of an open enum: one case holds raw values that the schema does not declare.
struct OpenEnumerationLayer {
    /// The members that open and closed enums have in common.
    var enumeration: EnumerationLayer
    /// The name of the case for unknown raw values.
    var unknown: String
    /// The elements of the list of all declared cases, one line each.
    var names: [String]
    /// The cases of the switch that converts from raw values.
    var readings: [String]
    /// The cases of the switch that converts to raw values.
    var writings: [String]
}

extension OpenEnumerationLayer: MemberLayer {
    static let members = Members<Self, Any>([
        "unknown": { $0.unknown },
        "names": { $0.names },
        "readings": { $0.readings },
        "writings": { $0.writings },
    ]).followed(by: EnumerationLayer.members) { $0.enumeration }
}
