public import RepositorySchema

/// Says what a schema without errors might be better without. What it says keeps nothing from being generated.
///
/// It tells of a cause once: of a value that only an unused value holds nothing is said.
public struct Linter {
    let scope: SchemaScope
    private(set) var warnings: [Diagnostic] = []

    /// Looks at a set that the validator found right.
    ///
    /// - Parameters:
    ///   - set: the set.
    ///   - memory: what was found out before of sets whose `revisions` come from one ``SchemaMemory``: only those declarations
    ///     are looked at of which something may be found now, and what is found out is kept there.
    /// - Returns: What is odd in it: diagnostics that are warnings.
    public static func warnings(
        of set: SchemaSet, memory: CheckMemory? = nil
    ) -> [Diagnostic] {
        let scope = SchemaScope(set)
        let changed = memory?.declarations(in: scope) {
            var linter = Linter(scope: $1)
            for declaration in $0 { linter.look(at: declaration) }
            return linter.warnings
        }
        return warnings(scope, declarations: changed ?? scope.set.declarations)
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
        lookForUncheckedReferences(in: declaration)
        lookForDefaultsOfOtherTypes(in: declaration)
        guard case .entity(let entity) = declaration else { return }
        lookForCoveredIndexes(of: entity)
        lookForUnindexedRelations(of: entity)
        lookForUnindexedQueries(of: entity)
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
