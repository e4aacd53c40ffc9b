/// A condition that can be a list of conditions.
package protocol ListedCondition {
    /// A condition that holds if all conditions hold.
    static func all(_ conditions: [Self]) -> Self
    /// A condition that holds if at least one condition holds.
    static func any(_ conditions: [Self]) -> Self
    /// The members of a list of the operator; nil for any other condition.
    func members(isAll: Bool) -> [Self]?
}

/// Combines conditions with `&&` or with `||`.
///
/// Conditions combined with one operator form one list of at most ``width`` members. A longer list
/// becomes a tree of lists with uniform height, as in a B-tree. Adding a condition then copies one
/// list per level, so the cost of building a condition grows evenly with the number of operators,
/// however they are nested.
///
/// For example, with a width of 2, `a && b && c` becomes `.all([.all([a]), .all([b, c])])`. The
/// order of the conditions is preserved.
///
/// The runtime combines conditions of queries and of tables. The generator combines the same
/// conditions to describe them, because their stored text contains the brackets.
package struct ConditionLists<Condition: ListedCondition> {
    /// The maximum number of members of a list; a longer list is split.
    package static var width: Int { 128 }

    /// Whether the operator is `&&`, and not `||`.
    private let isAll: Bool

    /// Combines conditions with an operator.
    ///
    /// - Parameter isAll: whether the operator is `&&`, and not `||`.
    package init(isAll: Bool) { self.isAll = isAll }

    /// Returns the combined condition.
    package func join(_ left: Condition, _ right: Condition) -> Condition {
        join(left, height(of: left), right, height(of: right))
    }

    /// Returns the members of a list of the operator; nil for any other condition.
    private func members(of condition: Condition) -> [Condition]? {
        condition.members(isAll: isAll)
    }

    /// Creates a list of the operator.
    private func list(_ members: [Condition]) -> Condition { isAll ? .all(members) : .any(members) }

    /// Returns the number of nested lists of the operator: 0 for a single condition.
    private func height(of condition: Condition) -> Int {
        var (height, condition) = (0, condition)
        while let first = members(of: condition)?.first {
            (height, condition) = (height + 1, first)
        }
        return height
    }

    /// Joins two trees of the given heights. The lower one is inserted at the nearest edge of the
    /// higher one.
    private func join(
        _ left: Condition, _ leftHeight: Int, _ right: Condition, _ rightHeight: Int
    ) -> Condition {
        let (first, second) = (members(of: left) ?? [left], members(of: right) ?? [right])
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

    /// Returns the members to insert into a list of the given height: the condition itself, or its
    /// members if it was split and has grown to that height.
    private func raised(_ condition: Condition, below height: Int) -> [Condition] {
        self.height(of: condition) < height ? [condition] : members(of: condition) ?? [condition]
    }

    /// Creates a list, or a list of two halves if there are too many members.
    private func divided(_ members: some Collection<Condition>) -> Condition {
        guard members.count > Self.width else { return list(Array(members)) }
        let half = members.count / 2
        return list([list(Array(members.prefix(half))), list(Array(members.dropFirst(half)))])
    }
}
