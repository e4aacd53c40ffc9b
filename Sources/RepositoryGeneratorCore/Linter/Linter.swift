public import RepositorySchema

/// Warns about parts of a schema that are valid but questionable. Warnings do not prevent
/// generation.
///
/// Each cause is reported once: a value that is only used by an unused value causes no additional
/// warning.
///
/// Each kind of warning has a rule (`Diagnostic.Rule`).
public struct Linter {
    /// The scope of the set, with mixins expanded.
    let scope: SchemaScope
    /// The warnings found so far.
    private(set) var warnings: [Diagnostic] = []

    /// Returns the warnings for a set without errors.
    ///
    /// - Parameters:
    ///   - set: A set that the validator accepted.
    ///   - cache: The cache of earlier runs, for sets whose `revisions` come from one
    ///     ``SchemaCache``. Cached declarations are not checked again, and new results are added
    ///     to the cache. It must not be shared with the validator.
    /// - Returns: Diagnostics with the severity `warning`.
    public static func warnings(
        of set: SchemaSet, cache: CheckCache? = nil
    ) -> [Diagnostic] {
        let scope = SchemaScope(set)
        let changed = cache?.declarations(in: scope) {
            var linter = Linter(scope: $1)
            for declaration in $0 { linter.look(at: declaration) }
            return linter.warnings
        }
        return warnings(scope, declarations: changed ?? scope.set.declarations)
    }

    /// Looks for warnings about single declarations, and about the complete set.
    ///
    /// - Parameter declarations: The declarations to check by themselves.
    private static func warnings(
        _ scope: SchemaScope, declarations: [Declaration]
    ) -> [Diagnostic] {
        var linter = Linter(scope: scope)
        linter.lookForUnusedTypes()
        linter.lookForShadowedEntities()
        for declaration in declarations { linter.look(at: declaration) }
        return linter.warnings
    }

    /// Looks for warnings about a declaration by itself.
    private mutating func look(at declaration: Declaration) {
        lookForDeprecatedTypes(in: declaration)
        lookForUncheckedReferences(in: declaration)
        lookForDefaultsOfOtherTypes(in: declaration)
        guard case .entity(let entity) = declaration else { return }
        lookForCoveredIndexes(of: entity)
        lookForUnindexedRelations(of: entity)
        lookForHiddenRelations(of: entity)
        lookForUnindexedQueries(of: entity)
    }

    /// Creates a linter without warnings.
    private init(scope: SchemaScope) {
        self.scope = scope
    }

    /// Adds a warning of a rule.
    mutating func warn(
        _ message: String, at range: SourceRange, help: String, _ rule: Diagnostic.Rule,
        notes: [Diagnostic.Note] = []
    ) {
        warnings.append(
            Diagnostic(
                message, at: range, help: help, notes: notes, severity: .warning, rule: rule))
    }
}
