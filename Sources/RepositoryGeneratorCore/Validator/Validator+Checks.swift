internal import ConditionLanguage
internal import RepositorySchema

/// Rules for checks and for the conditions of indexes.
///
/// Conditions are parsed and type-checked here. A condition of a mixin is checked twice: once at
/// the mixin, with the mixin's own fields, and once per including entity, with all of its fields.
/// The second check is skipped if the first one found a problem.
///
/// The following schema has a check, and an index that covers only some records:
///
/// ```yaml
/// entity: Loan
/// fields:
///   number: Int
///   returnedAt: Date?
/// checks:
///   positive: { where: number > 0 }
/// indexes:
///   - { fields: [number], where: returnedAt isNull }
/// ```
extension Validator {
    /// Checks the names and conditions of an entity's checks, and the conditions of its indexes.
    mutating func checkChecks(of entity: EntityDeclaration) {
        checkNames(of: entity.checks)
        var conditions = entity.checks.map { ($0.condition, "a check", $0.origin) }
        conditions += entity.indexes.compactMap { index in
            index.condition.map { ($0, ConditionContext.index, index.origin) }
        }
        guard !conditions.isEmpty else { return }
        let context = ConditionContext(entity, scope: scope)
        for (condition, owner, origin) in conditions {
            // Problems that the mixin has by itself are reported at the mixin.
            if let origin, isWrong(condition, owner, in: origin.value) { continue }
            for problem in Self.problems(condition, context.without(parametersIn: owner)) {
                var diagnostic = problem.diagnostic(in: condition)
                if let origin {
                    diagnostic.notes.append(
                        Diagnostic.Note("it is included here", at: origin.range))
                }
                diagnostics.append(diagnostic)
            }
        }
    }

    /// Checks that no two checks of an entity have the same name. A check of a mixin is reported at
    /// its `include`.
    private mutating func checkNames(of checks: [CheckDeclaration]) {
        var seen: [String: Located<String>] = [:]
        for check in checks {
            let place = check.origin ?? check.name
            guard let first = seen[check.name.value] else {
                seen[check.name.value] = place
                continue
            }
            add(
                "two checks are called '\(check.name.value)'", at: place.range,
                help: "rename one of them",
                notes: [Diagnostic.Note("the other one stands here", at: first.range)])
        }
    }

    /// Checks the conditions of a mixin, as far as they refer to its own fields. Other names may be
    /// fields of the including entities.
    ///
    /// A mixin is not complete by itself, so an unknown name is not reported here.
    mutating func checkConditions(of mixin: MixinDeclaration) {
        var conditions = mixin.checks.map { ($0.condition, "a check") }
        conditions += mixin.indexes.compactMap { index in
            index.condition.map { ($0, ConditionContext.index) }
        }
        guard !conditions.isEmpty else { return }
        let context = context(of: mixin)
        for (condition, owner) in conditions {
            diagnostics += Self.problems(condition, context.without(parametersIn: owner))
                .map { $0.diagnostic(in: condition) }
        }
    }

    /// Returns whether a condition of a mixin has a problem without its including entity.
    private mutating func isWrong(_ condition: ConditionText, _ owner: String, in name: String)
        -> Bool
    {
        guard case .mixin(let mixin) = scope.declarations[name] else { return false }
        let context = context(of: mixin).without(parametersIn: owner)
        return !Self.problems(condition, context).isEmpty
    }

    /// The context of a mixin's conditions, cached for all entities that include the mixin.
    private mutating func context(of mixin: MixinDeclaration) -> ConditionContext {
        let name = mixin.header.name.value
        if let context = contextsOfMixins[name] { return context }
        let context = ConditionContext(mixin, scope: scope)
        contextsOfMixins[name] = context
        return context
    }

    /// The problems of a condition, including those that only apply to conditions stored in a
    /// table.
    private static func problems(
        _ condition: ConditionText, _ context: ConditionContext
    ) -> [ConditionProblem] {
        var checker = ConditionChecker(context)
        let checked = checker.check(condition)
        return checker.problems + TableRules.problems(checked)
    }
}

/// The restrictions on conditions that are part of a table: checks and partial indexes.
private enum TableRules {
    /// Returns the first problem with the fields of a condition, as an array of at most one
    /// element.
    ///
    /// A check or an index cannot refer to an id as a whole, to a version, or to a deprecated field
    /// of a value.
    static func problems(
        _ condition: CheckedCondition?
    ) -> [ConditionProblem] {
        return (condition?.fields ?? []).lazy.compactMap { field in
            if field.path.isEmpty {
                return ConditionProblem(
                    "the id stands here as a whole", field.range, "name its components one by one")
            }
            if field.path.contains(where: { $0.version?.value == true }) {
                return ConditionProblem(
                    "the version is counted by the store: nothing can depend on it here",
                    field.range,
                    "leave it out")
            }
            if field.path.dropFirst().contains(where: { $0.deprecated != nil }) {
                return ConditionProblem(
                    "a deprecated field of a value cannot be named here", field.range,
                    "leave it out")
            }
            return nil
        }.prefix(1).map { $0 }
    }
}
