/// Combines conditions with `&&` or with `||`.
///
/// Conditions combined with one operator form one list of at most ``width`` members. A longer list
/// becomes a tree of lists with uniform height, as in a B-tree. Adding a condition then copies one
/// list per level, so the cost of building a condition grows evenly with the number of operators,
/// however they are nested. ``ConditionTree/conjuncts`` and ``ConditionTree/alternatives`` flatten
/// the tree.
///
/// For example, with a width of 2, `a && b && c` becomes `.all([.all([a]), .all([b, c])])`. The
/// order of the conditions is preserved.
struct ConditionJoining {
    /// The maximum number of members of a list; a longer list is split.
    static let width = 128

    /// Whether the operator is `&&`, and not `||`.
    let isAll: Bool

    /// Returns the combined condition. If one condition is invalid, it is the result.
    func join(_ left: ConditionTree, _ right: ConditionTree) -> ConditionTree {
        if case .invalid = left { return left }
        if case .invalid = right { return right }
        if isNeutral(left) { return right }
        if isNeutral(right) { return left }
        return join(left, height(of: left), right, height(of: right))
    }

    /// Whether the condition is the identity of the operator: `true` for `&&`, `false` for `||`, or
    /// an empty list.
    private func isNeutral(_ tree: ConditionTree) -> Bool {
        if case .constant(isAll) = tree { return true }
        return members(of: tree)?.isEmpty ?? false
    }

    /// Returns the members of a list of this operator; nil for any other condition.
    func members(of tree: ConditionTree) -> [ConditionTree]? {
        switch tree {
        case .all(let members) where isAll: members
        case .any(let members) where !isAll: members
        default: nil
        }
    }

    /// Creates a list of this operator.
    private func list(_ members: [ConditionTree]) -> ConditionTree {
        isAll ? .all(members) : .any(members)
    }

    /// Returns the number of nested lists of this operator: 0 for a single condition.
    private func height(of tree: ConditionTree) -> Int {
        var (height, tree) = (0, tree)
        while let first = members(of: tree)?.first { (height, tree) = (height + 1, first) }
        return height
    }

    /// Joins two trees of the given heights. The lower one is inserted at the nearest edge of the
    /// higher one.
    private func join(
        _ left: ConditionTree, _ leftHeight: Int, _ right: ConditionTree, _ rightHeight: Int
    ) -> ConditionTree {
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

    /// Returns the members to insert into a list of the given height: the tree itself, or its
    /// members if it was split and has grown to that height.
    private func raised(_ tree: ConditionTree, below height: Int) -> [ConditionTree] {
        self.height(of: tree) < height ? [tree] : members(of: tree) ?? [tree]
    }

    /// Creates a list, or a list of two halves if there are too many members.
    private func divided(_ members: some Collection<ConditionTree>) -> ConditionTree {
        guard members.count > Self.width else { return list(Array(members)) }
        let half = members.count / 2
        return list([list(Array(members.prefix(half))), list(Array(members.dropFirst(half)))])
    }
}

extension ConditionTree {
    /// The maximum depth of `&&`, `||` and `!`. Traversing a condition takes a few stack frames per
    /// level, and pool threads may have a stack of 512 KiB.
    static let deepest = 128

    /// The depth of the condition: 1 for a single test. Directly nested lists of one operator count
    /// as one level.
    ///
    /// The computation is iterative, so that it works for any depth.
    var depth: Int {
        var deepest = 1
        var rest = [(tree: self, depth: 1)]
        while let (tree, depth) = rest.popLast() {
            deepest = max(deepest, depth)
            switch tree {
            case .not(let inner): rest.append((inner, depth + 1))
            case .all(let members):
                for member in members {
                    if case .all = member {
                        rest.append((member, depth))
                    } else {
                        rest.append((member, depth + 1))
                    }
                }
            case .any(let members):
                for member in members {
                    if case .any = member {
                        rest.append((member, depth))
                    } else {
                        rest.append((member, depth + 1))
                    }
                }
            case .related(let related): rest.append((related.condition, depth + 1))
            case .constant, .compare, .compareFields, .isIn, .text, .hasElement, .invalid: break
            }
        }
        return deepest
    }

    /// The condition with all alternatives that test one field for equality merged into one
    /// membership test. A set is tested in constant time, and a database receives one `IN` list.
    ///
    /// A merged alternative has the position of the first one of its field.
    package var joiningEqualities: ConditionTree {
        guard case .any = self else { return self }
        let alternatives = self.alternatives
        var places: [FieldPath: Int] = [:]
        var joined: [ConditionTree] = []
        joined.reserveCapacity(alternatives.count)
        for alternative in alternatives {
            let (path, values): (FieldPath, Set<StoredValue>)
            switch alternative {
            case .compare(let place, .equal, let value): (path, values) = (place, [value])
            case .isIn(let place, let set): (path, values) = (place, set)
            default:
                joined.append(alternative)
                continue
            }
            guard let place = places[path] else {
                places[path] = joined.count
                joined.append(alternative)
                continue
            }
            guard case .isIn(let known, var union) = joined[place].membership,
                known.ignoresCase == path.ignoresCase
            else {
                joined.append(alternative)
                continue
            }
            // The set is moved out of the array, so that it is extended without a copy.
            joined[place] = .constant(false)
            union.formUnion(values)
            joined[place] = .isIn(path, union)
        }
        return joined.count == 1 ? joined[0] : .any(joined)
    }

    /// An equality test as a membership test; any other condition unchanged.
    private var membership: ConditionTree {
        if case .compare(let path, .equal, let value) = self { return .isIn(path, [value]) }
        return self
    }
}
