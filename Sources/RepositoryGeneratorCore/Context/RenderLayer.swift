internal import Mustache
internal import RepositorySchema

/// A layer whose members can be listed.
///
/// `child(named:)` is what rendering uses, because a look-up in a dictionary of members would cost making all of them;
/// a test holds both together.
protocol RenderLayer: MustacheParent {
    /// The names of the members that templates can ask for, in the order of printing.
    var keys: [String] { get }

    /// A member by its name.
    func child(named name: String) -> Any?
}

extension RenderLayer {
    /// The layer as it is printed.
    var json: JSONValue {
        .object(keys.map { JSONValue.Member($0, JSONValue(rendered: child(named: $0))) })
    }
}

extension JSONValue {
    /// A value of a layer.
    fileprivate init(rendered value: Any?) {
        switch value {
        case let text as String: self = .string(text)
        case let flag as Bool: self = .bool(flag)
        case let number as Int: self = .integer(number)
        case let layer as any RenderLayer: self = layer.json
        case let list as [Any]: self = .array(list.map { JSONValue(rendered: $0) })
        default: self = .null
        }
    }
}

extension FileLayer: RenderLayer {
    static let keys = ["imports", "hasImports", "declarations", "types"]

    /// What is printed: the types are the same in all files, and stand in the facts.
    var keys: [String] { Self.keys.filter { $0 != "types" } }
}

extension DeclarationLayer: RenderLayer {
    static let keys = [
        "entity", "value", "union", "enumeration", "openEnumeration", "scalar", "mixin", "set",
    ]

    /// The one that it is; the others are false.
    var keys: [String] {
        switch self {
        case .entity: ["entity"]
        case .value: ["value"]
        case .union: ["union"]
        case .enumeration: ["enumeration"]
        case .openEnumeration: ["openEnumeration"]
        case .scalar: ["scalar"]
        case .mixin: ["mixin"]
        case .set: ["set"]
        }
    }
}

extension RecordLayer {
    static let keys = [
        "heading", "availability", "access", "name", "type", "otherName", "conformances", "noun",
        "properties",
        "hasParameters", "parameters", "assignments", "queryFields", "hasQueryFields",
        "comparisons", "hasHashes", "recordHashes", "description", "mapper",
    ]
}

extension EntityLayer: RenderLayer {
    static let ownKeys = [
        "singleID", "rawType", "compositeID", "identity", "hasIdentity", "idMapper", "plural",
        "hasFinders", "finders", "hasRelations", "relations", "hasQueries", "queries",
    ]
    var keys: [String] { Self.ownKeys + RecordLayer.keys }
}

extension CompositeIDLayer: RenderLayer {
    static let keys = [
        "count", "idConformances", "components", "idParameters", "idAssignments", "readings",
        "idArguments", "texts",
        "idComparisons", "hashes", "orders",
    ]
    var keys: [String] { Self.keys }
}

extension FinderLayer: RenderLayer {
    static let keys = ["separated", "documentation", "attributes", "signature", "body"]
    var keys: [String] { Self.keys }
}

extension RelationLayer: RenderLayer {
    static let keys = ["separated", "documentation", "attributes", "signature", "body"]
    var keys: [String] { Self.keys }
}

extension ValueLayer: RenderLayer {
    var keys: [String] { RecordLayer.keys }
}

extension DescriptionLayer: RenderLayer {
    static let keys = ["protocols", "property", "hasMembers", "hasMirror", "opening"]
    var keys: [String] { Self.keys }
}

extension MapperLayer: RenderLayer {
    static let keys = [
        "encodings", "hasEncodings", "opening", "hasFields", "decodings", "record", "variable",
        "encoder", "decoder", "source", "mapped", "mapperName", "protocol", "of", "patterns",
        "hasPatterns", "table", "layout", "descriptions", "recordName", "preparation",
        "preparations", "version", "versionPlace",
    ]
    var keys: [String] { Self.keys }
}

extension TableLayer: RenderLayer {
    static let keys = ["tableName", "start", "statements"]
    var keys: [String] { Self.keys }
}

extension EnumerationLayer: RenderLayer {
    static let keys = [
        "heading", "availability", "access", "name", "type", "otherName", "rawType", "cases",
        "alias",
    ]
    var keys: [String] { Self.keys }
}

extension OpenEnumerationLayer: RenderLayer {
    static let ownKeys = ["unknown", "names", "readings", "writings"]
    var keys: [String] { Self.ownKeys + EnumerationLayer.keys }
}

extension UnionLayer: RenderLayer {
    static let ownKeys = ["cases", "payloads"]
    var keys: [String] { Self.ownKeys + RecordLayer.keys }
}

extension UnionCaseLayer: RenderLayer {
    static let ownKeys = ["caseName", "union", "unionNoun", "pattern", "unionAvailability"]
    var keys: [String] { Self.ownKeys + RecordLayer.keys }
}

extension ScalarLayer: RenderLayer {
    static let keys = ["access", "name", "otherName", "place"]
    var keys: [String] { Self.keys }
}

extension MixinLayer: RenderLayer {
    static let keys = ["name"]
    var keys: [String] { Self.keys }
}

extension SetLayer: RenderLayer {
    static let keys = [
        "access", "name", "setName", "entities", "repositories", "hasRepositories",
    ]
    var keys: [String] { Self.keys }
}
