public import RepositorySchema

/// Says what a schema without errors might be better without. What it says keeps nothing from being generated.
///
/// It tells of a cause once: of a value that only an unused value holds nothing is said.
public struct Linter {
    let scope: SchemaScope
    private(set) var warnings: [Diagnostic] = []

    /// Looks at a set that the validator found right.
    ///
    /// - Returns: What is odd in it: diagnostics that are warnings.
    public static func warnings(of set: SchemaSet) -> [Diagnostic] {
        var linter = Linter(scope: SchemaScope(set))
        linter.lookForUnusedTypes()
        linter.lookForShadowedEntities()
        for declaration in linter.scope.set.declarations {
            linter.lookForDeprecatedTypes(in: declaration)
            if case .entity(let entity) = declaration {
                linter.lookForCoveredIndexes(of: entity)
                linter.lookForUnindexedRelations(of: entity)
            }
        }
        return linter.warnings
    }

    private init(scope: SchemaScope) {
        self.scope = scope
    }

    mutating func warn(
        _ message: String, at range: SourceRange, help: String, _ rule: Diagnostic.Rule,
        notes: [Diagnostic.Note] = []
    ) {
        warnings.append(
            Diagnostic(
                message, at: range, help: help, notes: notes, severity: .warning, rule: rule))
    }
}
