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
        let scope = SchemaScope(set)
        return warnings(scope, declarations: scope.set.declarations)
    }

    /// Looks at a set as `warnings(of:)` does, but only at declarations of which something may be found now.
    ///
    /// - Parameters:
    ///   - set: a set that the validator found right, with the revisions of its files.
    ///   - memory: what was found out before; what is found out now is kept there.
    /// - Returns: What is odd in it: diagnostics that are warnings.
    public static func warnings(
        of set: SchemaSet, remembering memory: inout CheckMemory
    ) -> [Diagnostic] {
        let scope = SchemaScope(set)
        let declarations = memory.declarations(in: scope) {
            var linter = Linter(scope: $1)
            for declaration in $0 { linter.look(at: declaration) }
            return linter.warnings
        }
        return warnings(scope, declarations: declarations)
    }

    /// - Parameter declarations: those that are looked at by themselves; all are looked at together.
    private static func warnings(
        _ scope: SchemaScope, declarations: [Declaration]
    ) -> [Diagnostic] {
        var linter = Linter(scope: scope)
        linter.lookForUnusedTypes()
        linter.lookForShadowedEntities()
        for declaration in declarations { linter.look(at: declaration) }
        return linter.warnings
    }

    private mutating func look(at declaration: Declaration) {
        lookForDeprecatedTypes(in: declaration)
        guard case .entity(let entity) = declaration else { return }
        lookForCoveredIndexes(of: entity)
        lookForUnindexedRelations(of: entity)
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
