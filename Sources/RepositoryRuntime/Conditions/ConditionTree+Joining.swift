/// Joins conditions by `&&` or by `||`.
///
/// The conditions joined by one operator form one list while there are ``width`` of them at most. More are kept in lists of
/// lists, all of one height, as in a B-tree: adding a condition copies one list of each level, so that building a condition
/// costs the same for each operator, whichever way the program nests them. ``ConditionTree/conjuncts`` and
/// ``ConditionTree/alternatives`` show one list again.
struct ConditionJoining {
    /// How many conditions a list holds at most, before it is divided.
    static let width = 128

    /// Whether all must hold, as for `&&`, and not one.
    let isAll: Bool

    /// Both conditions, joined. An invalid condition stays invalid, whatever it is joined with.
    func join(_ left: ConditionTree, _ right: ConditionTree) -> ConditionTree {
        if case .invalid = left { return left }
        if case .invalid = right { return right }
        if isNeutral(left) { return right }
        if isNeutral(right) { return left }
        return join(left, height(of: left), right, height(of: right))
    }

    /// Whether the condition changes nothing where it is joined with another.
    private func isNeutral(_ tree: ConditionTree) -> Bool {
        if case .constant(isAll) = tree { return true }
        return members(of: tree)?.isEmpty ?? false
    }

    /// The members of a list of this kind; nil for any other condition.
    func members(of tree: ConditionTree) -> [ConditionTree]? {
        switch tree {
        case .all(let members) where isAll: members
        case .any(let members) where !isAll: members
        default: nil
        }
    }

    private func list(_ members: [ConditionTree]) -> ConditionTree {
        isAll ? .all(members) : .any(members)
    }

    /// How many lists of this kind lie in each other.
    private func height(of tree: ConditionTree) -> Int {
        var (height, tree) = (0, tree)
        while let first = members(of: tree)?.first { (height, tree) = (height + 1, first) }
        return height
    }

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

    /// What stands in a list of a height for a condition that has become one of that height itself.
    private func raised(_ tree: ConditionTree, below height: Int) -> [ConditionTree] {
        self.height(of: tree) < height ? [tree] : members(of: tree) ?? [tree]
    }

    private func divided(_ members: some Collection<ConditionTree>) -> ConditionTree {
        guard members.count > Self.width else { return list(Array(members)) }
        let half = members.count / 2
        return list([list(Array(members.prefix(half))), list(Array(members.dropFirst(half)))])
    }
}

extension ConditionTree {
    /// How deep conditions may lie within `&&`, `||` and `!`. Walking a condition takes a few frames of the stack for each
    /// level, and the threads of a pool may have 512 KiB.
    static let deepest = 128

    /// How deep the condition is: 1 for a test; lists joined by one operator count once.
    ///
    /// Computed without recursion, so that a condition of any depth can be measured.
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
            case .constant, .compare, .isIn, .text, .hasElement, .invalid: break
            }
        }
        return deepest
    }

    /// The condition with those of its alternatives joined that ask whether a field has one of some values: a set is asked
    /// once, however many values it holds, and a database is given one list.
    ///
    /// The alternatives keep the order in which the first of each field stands.
    var joiningEqualities: ConditionTree {
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
            // The list is taken out, so that it is extended where it lies.
            joined[place] = .constant(false)
            union.formUnion(values)
            joined[place] = .isIn(path, union)
        }
        return joined.count == 1 ? joined[0] : .any(joined)
    }

    /// A test for one value as one for a set of values.
    private var membership: ConditionTree {
        if case .compare(let path, .equal, let value) = self { return .isIn(path, [value]) }
        return self
    }
}
