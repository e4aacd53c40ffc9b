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
        case .all(let parts): return JoinedConditions(isAll: true).join(parts.map(describe))
        case .any(let parts): return JoinedConditions(isAll: false).join(parts.map(describe))
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

/// Joins conditions with `&&` or `||` into the tree that the runtime builds.
///
/// The runtime splits lists of more than 128 conditions; see its `ConditionJoining`. The texts of
/// stored conditions contain the brackets, so the lists are split here in the same way. A test
/// compares both.
private struct JoinedConditions {
    /// The maximum number of members of a list.
    private static let width = 128
    /// Whether the operator is `&&`, and not `||`.
    let isAll: Bool

    /// Joins the conditions in groups, as ``ConditionCode/grouped`` writes them.
    func join(_ parts: [StoredCondition]) -> StoredCondition {
        var parts = parts
        while parts.count > ConditionCode.mostParts {
            parts = stride(from: 0, to: parts.count, by: ConditionCode.mostParts).map { start in
                inOrder(parts[start..<min(start + ConditionCode.mostParts, parts.count)])
            }
        }
        return inOrder(parts[...])
    }

    /// Joins conditions from left to right.
    private func inOrder(_ parts: ArraySlice<StoredCondition>) -> StoredCondition {
        guard let first = parts.first else { return .constant(isAll) }
        return parts.dropFirst().reduce(first) { join($0, height($0), $1, height($1)) }
    }

    /// Returns the members of a list of this operator; nil for any other condition.
    private func members(_ condition: StoredCondition) -> [StoredCondition]? {
        switch condition {
        case .all(let members) where isAll: members
        case .any(let members) where !isAll: members
        default: nil
        }
    }

    /// Creates a list of this operator.
    private func list(_ members: [StoredCondition]) -> StoredCondition {
        isAll ? .all(members) : .any(members)
    }

    /// Returns the number of nested lists of this operator.
    private func height(_ condition: StoredCondition) -> Int {
        var (height, condition) = (0, condition)
        while let first = members(condition)?.first { (height, condition) = (height + 1, first) }
        return height
    }

    /// Joins two trees. The lower one is inserted at the nearest edge of the higher one.
    private func join(
        _ left: StoredCondition, _ leftHeight: Int, _ right: StoredCondition, _ rightHeight: Int
    ) -> StoredCondition {
        let (first, second) = (members(left) ?? [left], members(right) ?? [right])
        if leftHeight == rightHeight {
            guard leftHeight > 0 else { return list([left, right]) }
            return first.count + second.count <= Self.width
                ? list(first + second) : list([left, right])
        }
        if leftHeight > rightHeight {
            guard let last = first.last else { return right }
            let joined = join(last, leftHeight - 1, right, rightHeight)
            return divided(first.dropLast() + raised(joined, below: leftHeight))
        }
        guard let next = second.first else { return left }
        let joined = join(left, leftHeight, next, rightHeight - 1)
        return divided(raised(joined, below: rightHeight) + second.dropFirst())
    }

    /// Returns the members to insert into a list of a height.
    private func raised(_ condition: StoredCondition, below height: Int) -> [StoredCondition] {
        self.height(condition) < height ? [condition] : members(condition) ?? [condition]
    }

    /// Creates a list, or a list of two halves if there are too many members.
    private func divided(_ members: [StoredCondition]) -> StoredCondition {
        guard members.count > Self.width else { return list(members) }
        let half = members.count / 2
        return list([list(Array(members.prefix(half))), list(Array(members.dropFirst(half)))])
    }
}
