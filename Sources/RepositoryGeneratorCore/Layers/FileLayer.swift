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

extension FileLayer: MustacheParent {
    func child(named name: String) -> Any? {
        switch name {
        case "imports": imports
        case "hasImports": !imports.isEmpty
        case "declarations": declarations
        case "types": types
        default: nil
        }
    }
}

extension DeclarationLayer: MustacheParent {
    func child(named name: String) -> Any? {
        switch (self, name) {
        case (.entity(let layer), "entity"): layer
        case (.value(let layer), "value"): layer
        case (.union(let layer), "union"): layer
        case (.enumeration(let layer), "enumeration"): layer
        case (.openEnumeration(let layer), "openEnumeration"): layer
        case (.scalar(let layer), "scalar"): layer
        case (.mixin(let layer), "mixin"): layer
        case (.set(let layer), "set"): layer
        // Those of the file.
        case (_, "types"): nil
        default: false
        }
    }
}

extension MixinLayer: MustacheParent {
    func child(named name: String) -> Any? { name == "name" ? self.name : nil }
}

extension ScalarLayer: MustacheParent {
    func child(named name: String) -> Any? {
        switch name {
        case "access": access
        case "name": self.name
        case "otherName": type == self.name ? false : type
        case "place": place
        default: nil
        }
    }
}
