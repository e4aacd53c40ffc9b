internal import Mustache

/// The render context of a union: the enum, its mapper, and the types that hold the fields of its
/// cases.
struct UnionLayer {
    /// The enum and the mapper.
    var record: RecordLayer
    /// The cases with their doc comments, one line each.
    var cases: [String]
    /// The types that hold the fields of the cases.
    var payloads: [UnionCaseLayer]
}

extension UnionLayer: MemberLayer {
    static let members = Members<Self, Any>([
        "cases": { $0.cases.block(4) },
        "payloads": { $0.payloads },
    ]).followed(by: RecordLayer.members) { $0.record }
}

/// The render context of the type that holds the fields of a union case.
struct UnionCaseLayer {
    /// The struct and its mapper.
    var record: RecordLayer
    /// The name of the case.
    var caseName: String
    /// The union's name.
    var union: String
    /// The union in prose, with its article.
    var unionNoun: String
    /// The pattern that matches the case: `.photo(let file, let caption)`.
    var pattern: String
    /// The attributes of the union.
    var unionAvailability: [String]
}

extension UnionCaseLayer: MemberLayer {
    static let members = Members<Self, Any>([
        "caseName": { $0.caseName },
        "union": { $0.union },
        "unionNoun": { $0.unionNoun },
        "pattern": { $0.pattern },
        "unionAvailability": { $0.unionAvailability },
    ]).followed(by: RecordLayer.members) { $0.record }
}
