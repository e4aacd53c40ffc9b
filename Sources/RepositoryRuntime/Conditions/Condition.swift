/// What the fields of a record must be like: made by the operators of ``QueryField`` and joined by `&&`, `||` and `!`.
///
/// There are two truth values. Null equals null alone, every other comparison with null is false, and `!` negates
/// that: `!($0.pages > 300)` holds where `pages` is null.
///
/// The type is not generic over the record, because the compiler then needs seconds to report one mistake among a few
/// conditions. That a condition is used for its own record is checked when it is joined and when a query takes it.
public struct Condition: Sendable, Hashable {
    /// The condition as data, for planners.
    public let tree: ConditionTree
    /// The record whose fields it names; nil where it names none.
    private let root: ObjectIdentifier?
    /// How deep the tree is, so that joining need not measure it.
    private let depth: Int

    /// Makes a condition that is used for whatever record it is given to.
    ///
    /// A condition deeper than 128 levels of `&&`, `||` and `!` is invalid: a query with it throws `invalidQuery`. So is one
    /// that operators make.
    public init(_ tree: ConditionTree) {
        self.init(tree, root: nil)
    }

    init<Root: MappedRecord>(_ tree: ConditionTree, of root: Root.Type) {
        self.init(tree, root: ObjectIdentifier(root))
    }

    private init(_ tree: ConditionTree, root: ObjectIdentifier?) {
        self.init(tree, root: root, depth: tree.depth)
    }

    private init(_ tree: ConditionTree, root: ObjectIdentifier?, depth: Int) {
        self.root = root
        if depth <= ConditionTree.deepest {
            self.tree = tree
            self.depth = depth
        } else {
            self.tree = .invalid(
                "Its condition is more than \(ConditionTree.deepest) levels of &&, || and ! deep.")
            self.depth = 1
        }
    }

    /// Whether both hold.
    public static func && (left: Self, right: Self) -> Self {
        left.joined(with: right, by: ConditionJoining(isAll: true))
    }

    /// Whether one holds, or both.
    public static func || (left: Self, right: Self) -> Self {
        left.joined(with: right, by: ConditionJoining(isAll: false))
    }

    /// Whether the condition does not hold. Two negations cancel each other.
    public static prefix func ! (condition: Self) -> Self {
        switch condition.tree {
        case .not(let inner): Self(inner, root: condition.root, depth: condition.depth - 1)
        case .invalid: condition
        case .constant, .compare, .isIn, .text, .hasElement, .all, .any:
            Self(.not(condition.tree), root: condition.root, depth: condition.depth + 1)
        }
    }

    private func joined(with other: Self, by joining: ConditionJoining) -> Self {
        if let root, let otherRoot = other.root, root != otherRoot { return .ofOtherRecord }
        // A list joined with its like stays one level.
        let depths = [self, other].map {
            joining.members(of: $0.tree) == nil ? $0.depth + 1 : $0.depth
        }
        let tree = joining.join(tree, other.tree)
        let isJoined = joining.members(of: tree) != nil
        return Self(
            tree, root: root ?? other.root, depth: isJoined ? max(depths[0], depths[1]) : tree.depth
        )
    }

    /// The condition as one of a record; invalid where it names the fields of another.
    func checked<Root: MappedRecord>(for type: Root.Type) -> Self {
        root == nil || root == ObjectIdentifier(type) ? self : .ofOtherRecord
    }

    /// The condition with its tree made into another one.
    func mapped(_ body: (ConditionTree) -> ConditionTree) -> Self {
        Self(body(tree), root: root, depth: depth)
    }

    private static var ofOtherRecord: Self {
        Self(.invalid("Its condition is of another entity."), root: nil, depth: 1)
    }
}

extension Condition: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The condition with each value as `?`.
    public var description: String { tree.description }
    /// The condition without its values.
    public var debugDescription: String { description }
    /// A mirror without the values.
    public var customMirror: Mirror { Mirror(hiding: self) }
}
