internal import Mustache

/// A union: the enum, its mapper, and the types that hold the fields of its cases.
struct UnionLayer {
    var record: RecordLayer
    /// The cases with their doc comments, a line each.
    var cases: [String]
    var payloads: [UnionCaseLayer]
}

extension UnionLayer: MustacheParent {
    func child(named name: String) -> Any? {
        switch name {
        case "cases": cases.block(4)
        case "payloads": payloads
        default: record.child(named: name)
        }
    }
}

/// The type that holds the fields of a case.
struct UnionCaseLayer {
    var record: RecordLayer
    var caseName: String
    /// The union's name.
    var union: String
    /// The union in prose, with its article.
    var unionNoun: String
    /// What the union is matched with: `.photo(let file, let caption)`.
    var pattern: String
    /// The attributes of the union.
    var unionAvailability: [String]
}

extension UnionCaseLayer: MustacheParent {
    func child(named name: String) -> Any? {
        switch name {
        case "caseName": caseName
        case "union": union
        case "unionNoun": unionNoun
        case "pattern": pattern
        case "unionAvailability": unionAvailability
        default: record.child(named: name)
        }
    }
}
