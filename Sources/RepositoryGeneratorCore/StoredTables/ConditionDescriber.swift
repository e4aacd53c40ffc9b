internal import ConditionLanguage
internal import RepositorySchema
internal import StoredSchema

/// Describes the conditions of partial indexes and checks as the runtime does when it runs the code
/// of ``TableConditions``.
struct ConditionDescriber {
    /// The names that the conditions can use.
    private let context: ConditionContext
    /// The names of the fields that ignore case.
    private let folded: Set<String>

    /// Prepares the description of the conditions of an entity.
    init(_ entity: EntityDeclaration, scope: SchemaScope) {
        context = ConditionContext(entity, scope: scope)
        folded = Set(
            scope.fields(of: entity).filter { $0.ignoringCase?.value == true }
                .map(scope.property(of:)))
    }

    /// Returns the description of a condition; nil if the condition has errors.
    func condition(_ text: ConditionText) -> StoredCondition? {
        var checker = ConditionChecker(context)
        return checker.check(text).map(describe)
    }

    /// Describes a condition.
    private func describe(_ condition: CheckedCondition) -> StoredCondition {
        switch condition {
        case .all(let parts): return joined(parts, isAll: true)
        case .any(let parts): return joined(parts, isAll: false)
        case .not(let inner): return Self.negated(describe(inner))
        case .compare(let field, .unequal, let value):
            return .not(.compare(path(field), "==", constant(value, field)))
        case .compare(let field, let comparison, let value):
            return .compare(path(field), comparison.rawValue, constant(value, field))
        case .isIn(let field, let values):
            let constants = values.map { constant($0, field) }
            return .isIn(path(field), Array(Set(constants)).sorted(by: Self.precedes))
        case .function(.contains, let field, let value) where isList(field):
            return .hasElement(path(field), constant(value))
        case .function(let function, let field, let value):
            guard case .text(let text) = constant(value, field) else { return .constant(false) }
            return .text(function.rawValue, path(field), text)
        case .isNull(let field): return .compare(path(field), "==", .null)
        // The checker rejects parameters and other records in conditions of tables.
        case .isInParameter, .related, .count, .compareFields: return .constant(false)
        }
    }

    /// Joins conditions in groups, as ``ConditionCode/grouped`` writes them.
    private func joined(_ conditions: [CheckedCondition], isAll: Bool) -> StoredCondition {
        let lists = ConditionLists<StoredCondition>(isAll: isAll)
        func inOrder(_ parts: some Collection<StoredCondition>) -> StoredCondition {
            parts.dropFirst().reduce(parts.first ?? .constant(isAll), lists.join)
        }
        var parts = conditions.map(describe)
        while parts.count > ConditionCode.mostParts {
            parts = stride(from: 0, to: parts.count, by: ConditionCode.mostParts).map { start in
                inOrder(parts[start...].prefix(ConditionCode.mostParts))
            }
        }
        return inOrder(parts)
    }

    /// Negates a condition. A double negation is removed.
    private static func negated(_ condition: StoredCondition) -> StoredCondition {
        if case .not(let inner) = condition { return inner }
        return .not(condition)
    }

    /// Returns whether a field is a list.
    private func isList(_ field: ConditionField) -> Bool {
        if case .list = field.type.unwrapped { return true }
        return false
    }

    /// Returns whether a path is a whole field that ignores case.
    private func ignoresCase(_ field: ConditionField) -> Bool {
        field.properties.count == 1 && folded.contains(field.properties[0])
    }

    /// Describes the path of a field.
    private func path(_ field: ConditionField) -> StoredCondition.Path {
        StoredCondition.Path(
            name(field), Array(field.properties.dropFirst()),
            ignoresCase: !isList(field) && ignoresCase(field))
    }

    /// The name of the outermost field. The name `id` stands for the field of a single id.
    private func name(_ field: ConditionField) -> String { field.properties.first ?? "?" }

    /// Describes a constant that a field is compared with, case-folded where the field ignores case.
    private func constant(_ value: ConditionValue, _ field: ConditionField) -> StoredConstant {
        let constant = constant(value)
        guard ignoresCase(field), case .text(let text) = constant else { return constant }
        return .text(CaseFolding.folded(text))
    }

    /// Describes a constant.
    private func constant(_ value: ConditionValue) -> StoredConstant {
        switch value {
        case .literal(let text, let type), .identifier(_, let text, let type):
            ConstantDescriber(scope: context.scope)
                .constant(.scalar(text, isPlain: true), as: type)
        case .parameter: .null
        }
    }

    /// Whether a constant precedes another of the same type in the order of conditions.
    private static func precedes(_ left: StoredConstant, _ right: StoredConstant) -> Bool {
        switch (left, right) {
        case (.bool(let left), .bool(let right)): !left && right
        case (.integer(let left), .integer(let right)), (.date(let left), .date(let right)):
            left < right
        case (.double(let left), .double(let right)): left < right
        case (.decimal(let left), .decimal(let right)): DecimalNotation.precedes(left, right)
        case (.text(let left), .text(let right)), (.uuid(let left), .uuid(let right)):
            UTF8Order.precedes(left, right)
        // Conditions have no other literals.
        default: false
        }
    }
}
