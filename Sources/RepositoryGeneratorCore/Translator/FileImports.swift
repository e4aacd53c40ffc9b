internal import ConditionLanguage
internal import RepositorySchema

/// The import statements of an output file.
///
/// A file imports only the modules that it uses, at the lowest sufficient access level: the
/// compiler warns about a `public import` that no public declaration uses.
///
/// ```
/// access       modules in declarations        modules in bodies only
/// public       public import Foundation       import Billing
/// internal     import Foundation              import Billing
/// ```
struct FileImports {
    private let scope: SchemaScope
    /// The modules of types in declarations.
    private var exposed: Set<String> = []
    /// The modules of types that occur only in function bodies.
    private var hidden: Set<String> = []

    /// Collects the imports that the declarations of a file require.
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

    /// Adds the modules of the fields' types.
    private mutating func add(_ fields: [FieldDeclaration]) {
        fields.compactMap { module(of: $0.type.value) }.forEach { exposed.insert($0) }
    }

    /// The module that declares the innermost type, or nil for types of the output's own module, of
    /// Swift and of the runtime.
    private func module(of type: TypeExpression) -> String? {
        switch scope.kind(of: type) {
        case .base(let base): base.module
        case .scalar(let scalar): scalar.module?.value
        case .entity, .value, .union, .enumeration, .unknown: nil
        }
    }

    /// Adds the modules of types in conditions. Conditions can refer to fields of values that are
    /// declared in other files.
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

    /// Adds the modules of compared fields. The code of a literal can call API of the module that
    /// declares the field's type.
    private mutating func addFields(of condition: CheckedCondition?) {
        let types = (condition?.fields ?? []).map(\.type)
        types.compactMap { module(of: $0) }.forEach { hidden.insert($0) }
    }

    /// Adds the module of a qualified protocol: `Billing.Priced` is declared in `Billing`. An
    /// unqualified protocol is declared in the output's own module or in Swift.
    private mutating func add(conformance: String) {
        let parts = conformance.split(separator: ".")
        if parts.count > 1, let module = parts.first { exposed.insert(String(module)) }
    }

    /// The import statements, sorted by module.
    var statements: [String] {
        guard !exposed.isEmpty else { return [] }
        let settings = scope.set.settings
        let named = settings.imports.map(\.value)
        return Self.statements(
            exposed: exposed, hidden: hidden.union(named).subtracting(exposed), settings.access)
    }

    /// The import statements of the set's own file.
    static func ofSet(_ settings: SchemaSettings) -> [String] {
        statements(exposed: ["RepositoryRuntime"], hidden: [], settings.access)
    }

    /// The import statements of the file with the types of old versions.
    static func ofVersions(_ settings: SchemaSettings, usesFoundation: Bool) -> [String] {
        let modules = ["RepositoryRuntime"] + (usesFoundation ? ["Foundation"] : [])
        return statements(exposed: Set(modules), hidden: [], settings.access)
    }

    /// Formats import statements. An access level is written only if it is necessary.
    ///
    /// Without `InternalImportsByDefault`, the compiler rejects a module in which one file has
    /// `internal import Foundation` or `package import Foundation` and another file has
    /// `import Foundation`, which is the common form. An import without an access level is internal
    /// with that feature and public without it. This is sufficient for all declarations except
    /// `package` declarations with the feature enabled, so the output tests for the feature in that
    /// case.
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
