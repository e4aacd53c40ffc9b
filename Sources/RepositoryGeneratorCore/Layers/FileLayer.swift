internal import Mustache

/// A file of the output: what the template `file` is given.
///
/// Layers are the render context: every decision is made before them. Their members are named in the templates, and
/// each gives its own members to the template engine, which would otherwise look for them by reflection, eight times
/// slower. A member that is absent is `false`, never nil: nil would make the engine look for it in the layer outside.
struct FileLayer {
    /// The import statements, in order.
    var imports: [String]
    /// What the file declares, in order.
    var declarations: [DeclarationLayer]
    /// The types of Swift and the runtime, as the set names them.
    var types: OutputNames
}

extension [String] {
    /// The lines as one text, all but the first indented as the template indents its tag. A tag for each line would
    /// cost more than all the rest of rendering.
    func block(_ indentation: Int) -> String {
        joined(separator: "\n" + String(repeating: " ", count: indentation))
    }
}

/// One declaration of a file.
enum DeclarationLayer {
    case entity(EntityLayer)
    case value(ValueLayer)
    case union(UnionLayer)
    case enumeration(EnumerationLayer)
    case openEnumeration(OpenEnumerationLayer)
    case scalar(ScalarLayer)
    case mixin(MixinLayer)
    case set(SetLayer)
}

/// A scalar: a type that is declared elsewhere.
struct ScalarLayer {
    var access: String
    var name: String
    /// The name that means the type everywhere in the output.
    var type: String
    /// The module, or where else it stands, in words.
    var place: String
}

/// A mixin: its fields stand elsewhere.
struct MixinLayer {
    var name: String
}

extension FileLayer: MemberLayer {
    /// What is printed: the types are the same in all files, and stand in the facts.
    var keys: [String] { Self.members.keys.filter { $0 != "types" } }

    static let members = Members<Self, Any>([
        "imports": { $0.imports },
        "hasImports": { !$0.imports.isEmpty },
        "declarations": { $0.declarations },
        "types": { $0.types },
    ])
}

extension DeclarationLayer: RenderLayer {
    /// The names of the kinds of declarations.
    enum Kind: String, CaseIterable {
        case entity, value, union, enumeration, openEnumeration, scalar, mixin, set
    }

    /// The kind with its layer.
    private var content: (kind: Kind, layer: any RenderLayer) {
        switch self {
        case .entity(let layer): (.entity, layer)
        case .value(let layer): (.value, layer)
        case .union(let layer): (.union, layer)
        case .enumeration(let layer): (.enumeration, layer)
        case .openEnumeration(let layer): (.openEnumeration, layer)
        case .scalar(let layer): (.scalar, layer)
        case .mixin(let layer): (.mixin, layer)
        case .set(let layer): (.set, layer)
        }
    }

    /// What can be asked for: the kind that the declaration is, while all others are false.
    static let keys = Kind.allCases.map(\.rawValue)
    var keys: [String] { [content.kind.rawValue] }

    func child(named name: String) -> Any? {
        // The types are those of the file.
        if name == "types" { return nil }
        let content = content
        return name == content.kind.rawValue ? content.layer : false
    }
}

extension MixinLayer: MemberLayer {
    static let members = Members<Self, Any>(["name": { $0.name }])
}

extension ScalarLayer: MemberLayer {
    static let members = Members<Self, Any>([
        "access": { $0.access },
        "name": { $0.name },
        "otherName": { orFalse($0.type == $0.name ? nil : $0.type) },
        "place": { $0.place },
    ])
}
