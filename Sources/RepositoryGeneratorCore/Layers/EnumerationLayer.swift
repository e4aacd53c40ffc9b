internal import Mustache

/// An enum whose raw values are all known.
struct EnumerationLayer {
    var heading: [String]
    var availability: [String]
    var access: String
    var name: String
    /// The name that means the type everywhere in the output.
    var type: String
    var rawType: String
    /// The cases with their doc comments, a line each.
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

/// An enum with a case for raw values that it does not know.
struct OpenEnumerationLayer {
    var enumeration: EnumerationLayer
    /// The name of that case.
    var unknown: String
    /// The elements of the list of all declared cases, a line each.
    var names: [String]
    /// The cases of the switch from raw values.
    var readings: [String]
    /// The cases of the switch to raw values.
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
