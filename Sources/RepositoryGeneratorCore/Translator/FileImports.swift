internal import RepositorySchema

/// The import statements of a file: only what it needs, at the level it needs, because the compiler warns of a
/// `public import` that no public declaration uses.
struct FileImports {
    private let scope: SchemaScope
    /// Modules that the declarations name.
    private var exposed: Set<String> = []

    /// Collects the imports of a file's declarations.
    init(_ declarations: [Declaration], _ scope: SchemaScope) {
        self.scope = scope
        for declaration in declarations {
            switch declaration {
            case .entity(let entity):
                exposed.insert("RepositoryRuntime")
                add(scope.fields(of: entity))
                entity.conformances.forEach { add(conformance: $0.value) }
            case .value(let value):
                exposed.insert("RepositoryRuntime")
                add(value.fields)
            case .union(let union):
                exposed.insert("RepositoryRuntime")
                union.cases.forEach { add($0.fields) }
            case .enumeration: exposed.insert("RepositoryRuntime")
            case .scalar, .mixin: break
            }
        }
    }

    private mutating func add(_ fields: [FieldDeclaration]) {
        for field in fields {
            switch scope.kind(of: field.type.value) {
            case .base(let base): if base.isFoundation { exposed.insert("Foundation") }
            case .scalar(let scalar):
                if let module = scalar.module { exposed.insert(module.value) }
            case .entity, .value, .union, .enumeration, .unknown: break
            }
        }
    }

    /// `Billing.Priced` is of the module `Billing`, `Priced` of this one or of Swift itself.
    private mutating func add(conformance: String) {
        let parts = conformance.split(separator: ".")
        if parts.count > 1, let module = parts.first { exposed.insert(String(module)) }
    }

    /// The statements, in the order of the modules' names.
    var statements: [String] {
        guard !exposed.isEmpty else { return [] }
        let settings = scope.set.settings
        let named = settings.imports.map(\.value)
        return exposed.union(named).sorted().map { module in
            let level = exposed.contains(module) ? settings.access.rawValue : "internal"
            return "\(level) import \(module)"
        }
    }

    /// The imports of the set's own file.
    static func ofSet(_ settings: SchemaSettings) -> [String] {
        ["\(settings.access.rawValue) import RepositoryRuntime"]
    }
}

extension BaseType {
    /// Whether Foundation declares the type.
    var isFoundation: Bool {
        switch self {
        case .decimal, .date, .uuid, .url, .data: true
        default: false
        }
    }
}
