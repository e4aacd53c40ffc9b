/// A nondeterministic automaton for a pattern (Thompson's construction), simulated as a set of
/// states.
///
/// State *i* + 1 follows state *i* unless a split or jump names another one. The last state
/// accepts.
///
/// For example, `ab*` becomes:
///
/// ```
/// 0: a   1: split 2, 4   2: b   3: jump 1   4: match
/// ```
struct TextPatternProgram: Sendable {
    /// The maximum number of states after repetitions are expanded.
    private static let maximumStates = 10_000

    /// A state of the automaton.
    private enum State: Sendable {
        /// Consumes one scalar that is in the set with this index, and continues with the next
        /// state.
        case scalars(Int)
        /// Continues with both states without consuming a scalar.
        case split(Int, Int)
        /// Continues with a state without consuming a scalar.
        case jump(Int)
        case match
    }

    /// The states. Matching starts with the first one.
    private var states: [State] = []
    /// The scalar sets to which the states refer.
    private var sets: [ScalarSet] = []

    /// Builds the automaton; nil if it exceeds the maximum number of states.
    init?(_ node: TextPatternNode) {
        guard append(node) else { return nil }
        states.append(.match)
    }

    /// Appends the states for a node; false if the automaton becomes too large.
    private mutating func append(_ node: TextPatternNode) -> Bool {
        guard states.count <= Self.maximumStates else { return false }
        switch node {
        case .empty:
            return true
        case .scalars(let set):
            states.append(.scalars(sets.count))
            sets.append(set)
            return true
        case .sequence(let items):
            return items.allSatisfy { append($0) }
        case .choice(let branches):
            var ends: [Int] = []
            for branch in branches.dropLast() {
                let split = reserve()
                guard append(branch) else { return false }
                ends.append(reserve())
                states[split] = .split(split + 1, states.count)
            }
            guard branches.last.map({ append($0) }) ?? true else { return false }
            for end in ends { states[end] = .jump(states.count) }
            return true
        case .repeated(let item, let minimum, let maximum):
            return appendRepeat(item, minimum, maximum)
        }
    }

    /// Appends the states for a repetition. Bounded repetitions are expanded to copies of the item.
    ///
    /// An unbounded repetition is a loop. A bounded one is `minimum` copies, followed by copies
    /// that can each be skipped to the end.
    private mutating func appendRepeat(_ item: TextPatternNode, _ minimum: Int, _ maximum: Int?)
        -> Bool
    {
        for _ in 0..<minimum {
            guard append(item) else { return false }
        }
        guard let maximum else {
            let split = reserve()
            guard append(item) else { return false }
            states.append(.jump(split))
            states[split] = .split(split + 1, states.count)
            return true
        }
        var splits: [Int] = []
        for _ in minimum..<maximum {
            splits.append(reserve())
            guard append(item) else { return false }
        }
        for split in splits { states[split] = .split(split + 1, states.count) }
        return true
    }

    /// Reserves a state that is set later, and returns its index.
    private mutating func reserve() -> Int {
        states.append(.match)
        return states.count - 1
    }
}

// MARK: - Matching

extension TextPatternProgram {
    /// A set of states in insertion order, with constant-time insertion.
    private struct StateSet {
        private(set) var members: [Int] = []
        private var marks: [Bool]

        init(count: Int) {
            marks = Array(repeating: false, count: count)
        }

        /// Inserts a state, and returns whether it was new.
        mutating func insert(_ state: Int) -> Bool {
            guard !marks[state] else { return false }
            marks[state] = true
            members.append(state)
            return true
        }

        /// Removes all members. Takes time proportional to their number, not to the number of
        /// states.
        mutating func removeAll() {
            for state in members { marks[state] = false }
            members.removeAll(keepingCapacity: true)
        }
    }

    /// Whether the automaton accepts the scalars.
    ///
    /// Takes O(*n* · *m*) time for *n* scalars and *m* states, and O(*m*) memory.
    func matches(_ scalars: String.UnicodeScalarView) -> Bool {
        var current = StateSet(count: states.count)
        var following = StateSet(count: states.count)
        var pending: [Int] = []
        reach(0, &current, &pending)
        for scalar in scalars {
            for state in current.members {
                if case .scalars(let set) = states[state], sets[set].contains(scalar) {
                    reach(state + 1, &following, &pending)
                }
            }
            swap(&current, &following)
            following.removeAll()
            if current.members.isEmpty { return false }
        }
        return current.members.contains(states.count - 1)
    }

    /// Adds a state and all states that are reachable from it without consuming a scalar.
    ///
    /// Uses an explicit stack, `pending`, which is empty before and after. The caller passes it in
    /// to reuse its memory.
    private func reach(_ start: Int, _ reached: inout StateSet, _ pending: inout [Int]) {
        pending.append(start)
        while let state = pending.popLast() {
            guard reached.insert(state) else { continue }
            switch states[state] {
            case .split(let first, let second):
                pending.append(second)
                pending.append(first)
            case .jump(let target):
                pending.append(target)
            case .scalars, .match:
                break
            }
        }
    }
}
