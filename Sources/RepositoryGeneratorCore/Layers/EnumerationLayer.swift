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

extension EnumerationLayer: MustacheParent {
    func child(named name: String) -> Any? {
        switch name {
        case "heading": heading
        case "availability": availability
        case "access": access
        case "name": self.name
        case "type": type
        case "otherName": type == self.name ? false : type
        case "rawType": rawType
        case "cases": cases
        case "alias": !availability.isEmpty
        default: nil
        }
    }
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

extension OpenEnumerationLayer: MustacheParent {
    func child(named name: String) -> Any? {
        switch name {
        case "unknown": unknown
        case "names": names
        case "readings": readings
        case "writings": writings
        default: enumeration.child(named: name)
        }
    }
}
