internal import Mustache
internal import RepositorySchema

/// A layer whose members can be listed.
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

/// A layer whose members are listed once, for rendering and for printing.
protocol MemberLayer: RenderLayer {
    /// The members in the order of printing.
    static var members: Members<Self, Any> { get }
}

extension MemberLayer {
    var keys: [String] { Self.members.keys }
    func child(named name: String) -> Any? { Self.members.value(name, of: self) }
}
