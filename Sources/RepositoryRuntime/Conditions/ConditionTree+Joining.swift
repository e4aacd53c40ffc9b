internal import StoredSchema

/// Combines conditions with `&&` or with `||`; see ``ConditionLists``.
///
/// ``ConditionTree/conjuncts`` and ``ConditionTree/alternatives`` flatten the result.
struct ConditionJoining {
    /// The maximum number of members of a list; a longer list is split.
    static let width = ConditionLists<ConditionTree>.width

    /// Whether the operator is `&&`, and not `||`.
    let isAll: Bool

    /// Returns the combined condition. If one condition is invalid, it is the result.
    func join(_ left: ConditionTree, _ right: ConditionTree) -> ConditionTree {
        if case .invalid = left { return left }
        if case .invalid = right { return right }
        if isNeutral(left) { return right }
        if isNeutral(right) { return left }
        // Most queries join few single conditions; generic code of another module is slower.
        if right.members(isAll: isAll) == nil {
            let members = left.members(isAll: isAll) ?? [left]
            if members.count < Self.width, members[0].members(isAll: isAll) == nil {
                return isAll ? .all(members + [right]) : .any(members + [right])
            }
        }
        return ConditionLists(isAll: isAll).join(left, right)
    }

    /// Whether the condition is the identity of the operator: `true` for `&&`, `false` for `||`, or
    /// an empty list.
    private func isNeutral(_ tree: ConditionTree) -> Bool {
        if case .constant(isAll) = tree { return true }
        return tree.members(isAll: isAll)?.isEmpty ?? false
    }
}

extension ConditionTree: ListedCondition {
    /// The members of a list of the operator; nil for any other condition.
    package func members(isAll: Bool) -> [ConditionTree]? {
        switch self {
        case .all(let members) where isAll: members
        case .any(let members) where !isAll: members
        default: nil
        }
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
