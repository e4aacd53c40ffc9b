internal import RepositorySchema

/// The import statements of a file: only what it needs, at the level it needs, because the compiler warns of a
/// `public import` that no public declaration uses.
struct FileImports {
    private let scope: SchemaScope
    /// Modules that the declarations name.
    private var exposed: Set<String> = []
    /// Modules that only the bodies of the output name.
    private var hidden: Set<String> = []

    /// Collects the imports of a file's declarations.
    init(_ declarations: [Declaration], _ scope: SchemaScope) {
        self.scope = scope
        for declaration in declarations {
            switch declaration {
            case .entity(let entity):
                exposed.insert("RepositoryRuntime")
                add(scope.fields(of: entity))
                entity.conformances.forEach { add(conformance: $0.value) }
                addConditions(of: entity)
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
        fields.compactMap { module(of: $0.type.value) }.forEach { exposed.insert($0) }
    }

    /// The module that declares what stands inside a type, unless it is this one, Swift itself or the runtime.
    private func module(of type: TypeExpression) -> String? {
        switch scope.kind(of: type) {
        case .base(let base): base.isFoundation ? "Foundation" : nil
        case .scalar(let scalar): scalar.module?.value
        case .entity, .value, .union, .enumeration, .unknown: nil
        }
    }

    /// Conditions may name fields of values that are declared in other files.
    private mutating func addConditions(of entity: EntityDeclaration) {
        guard !entity.queries.isEmpty || entity.hasTableConditions else { return }
        let context = ConditionContext(entity, scope: scope)
        for query in entity.queries {
            guard let text = query.condition else { continue }
            var checker = ConditionChecker(context)
            addFields(of: checker.check(text))
            checker.parameters.compactMap { module(of: $0.type) }.forEach { exposed.insert($0) }
        }
        let conditions =
            entity.checks.map(\.condition) + entity.indexes.compactMap(\.condition)
        for text in conditions {
            var checker = ConditionChecker(context)
            addFields(of: checker.check(text))
        }
    }

    /// A literal may be made by its module, which the field of a value's own type names.
    private mutating func addFields(of condition: CheckedCondition?) {
        let types = (condition?.fields ?? []).map(\.type)
        types.compactMap { module(of: $0) }.forEach { hidden.insert($0) }
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
        return Self.statements(
            exposed: exposed, hidden: hidden.union(named).subtracting(exposed), settings.access)
    }

    /// The imports of the set's own file.
    static func ofSet(_ settings: SchemaSettings) -> [String] {
        statements(exposed: ["RepositoryRuntime"], hidden: [], settings.access)
    }

    /// Writes an access level only where it is needed.
    ///
    /// Without `InternalImportsByDefault` the compiler refuses a module in which one file says
    /// `internal import Foundation` or `package import Foundation`, and another just `import
    /// Foundation`, as most do. An import without a level is internal with that feature, and public
    /// without it: enough for whatever the file declares, but for a `package` declaration with it.
    private static func statements(
        exposed: Set<String>, hidden: Set<String>, _ access: SchemaSettings.Access
    ) -> [String] {
        let plain = hidden.sorted().map { "import \($0)" }
        switch access {
        case .internal: return exposed.union(hidden).sorted().map { "import \($0)" }
        case .public:
            return exposed.union(hidden).sorted().map {
                (exposed.contains($0) ? "public " : "") + "import \($0)"
            }
        case .package:
            let modules = exposed.sorted()
            return ["#if hasFeature(InternalImportsByDefault)"]
                + modules.map { "    package import \($0)" } + ["#else"]
                + modules.map { "    import \($0)" } + ["#endif"] + plain
        }
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
