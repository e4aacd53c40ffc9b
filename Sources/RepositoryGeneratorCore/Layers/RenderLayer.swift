internal import Mustache
internal import RepositorySchema

/// A render context whose members can be listed.
protocol RenderLayer: MustacheParent {
    /// The names of the members that templates can use, in the order of printing.
    var keys: [String] { get }

    /// Returns a member by name.
    func child(named name: String) -> Any?
}

extension RenderLayer {
    /// The layer as JSON, for `--dump-context`.
    var json: JSONValue {
        .object(keys.map { JSONValue.Member($0, JSONValue(rendered: child(named: $0))) })
    }
}

extension JSONValue {
    /// Converts a member of a layer to JSON.
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

/// A layer that declares its members once, for both rendering and printing.
///
/// The conforming type declares ``members``; the listing and the lookup follow from it.
protocol MemberLayer: RenderLayer {
    /// The members in the order of printing.
    static var members: Members<Self, Any> { get }
}

extension MemberLayer {
    var keys: [String] { Self.members.keys }
    func child(named name: String) -> Any? { Self.members.value(name, of: self) }
}
