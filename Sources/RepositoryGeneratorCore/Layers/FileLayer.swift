internal import Mustache

/// The render context of an output file, for the template `file`.
///
/// Layers are the values between the translators and the renderer. All decisions are made before a
/// layer is created; templates only place text. Each layer returns its members by name. The
/// template engine would otherwise find them by reflection, which takes eight times as long. An
/// absent member is `false`, never nil: for nil the engine would look up the name in the enclosing
/// layer.
struct FileLayer {
    /// The import statements, in order.
    var imports: [String]
    /// The declarations of the file, in order.
    var declarations: [DeclarationLayer]
    /// The Swift and runtime types, as the set names them.
    var types: OutputNames
}

extension [String] {
    /// Joins the lines into one string and indents all but the first line by `indentation` spaces,
    /// as the template indents the tag. A template section that repeats a tag per line would take
    /// longer than the rest of rendering.
    func block(_ indentation: Int) -> String {
        joined(separator: "\n" + String(repeating: " ", count: indentation))
    }
}

/// One declaration of a file. Exactly one kind is visible to the template.
enum DeclarationLayer {
    case entity(EntityLayer)
    case value(ValueLayer)
    case union(UnionLayer)
    case enumeration(EnumerationLayer)
    case openEnumeration(OpenEnumerationLayer)
    case scalar(ScalarLayer)
    case mixin(MixinLayer)
    case set(SetLayer)
    case versions(VersionsLayer)
}

/// The render context of a scalar: a type that the user declares elsewhere.
struct ScalarLayer {
    /// The access level followed by a space, or an empty string.
    var access: String
    /// The name of the type in the schema.
    var name: String
    /// The name that resolves to the type everywhere in the output.
    var type: String
    /// The declaring module, or a description of where the type is declared.
    var place: String
}

/// The render context of a mixin. Its fields are rendered in the entities that include it.
struct MixinLayer {
    /// The name of the mixin.
    var name: String
}

extension FileLayer: MemberLayer {
    /// The names to print. `types` is left out, because it is the same in all files and is printed
    /// with the facts of the set.
    var keys: [String] { Self.members.keys.filter { $0 != "types" } }

    static let members = Members<Self, Any>([
        "imports": { $0.imports },
        "hasImports": { !$0.imports.isEmpty },
        "declarations": { $0.declarations },
        "types": { $0.types },
    ])
}

extension DeclarationLayer: RenderLayer {
    /// The kinds of declarations, by template name.
    enum Kind: String, CaseIterable {
        case entity, value, union, enumeration, openEnumeration, scalar, mixin, set, versions
    }

    /// The kind and its layer.
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
        case .versions(let layer): (.versions, layer)
        }
    }

    /// The names that templates can use. The name of the declaration's own kind returns its layer;
    /// the others return false.
    static let keys = Kind.allCases.map(\.rawValue)
    /// The name of the declaration's kind. `--dump-context` prints only this member.
    var keys: [String] { [content.kind.rawValue] }

    /// Returns the layer for the name of the declaration's kind, and false for the other kinds.
    func child(named name: String) -> Any? {
        // Nil makes the engine look up `types` in the enclosing file layer.
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
