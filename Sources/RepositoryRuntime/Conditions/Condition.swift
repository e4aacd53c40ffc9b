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

    /// Makes a condition that is used for whatever record it is given to.
    public init(_ tree: ConditionTree) {
        self.init(tree, root: nil)
    }

    init<Root: MappedRecord>(_ tree: ConditionTree, of root: Root.Type) {
        self.init(tree, root: ObjectIdentifier(root))
    }

    private init(_ tree: ConditionTree, root: ObjectIdentifier?) {
        self.tree = tree
        self.root = root
    }

    /// Whether both hold.
    public static func && (left: Self, right: Self) -> Self {
        left.joined(with: right) { .all($0.conjuncts + $1.conjuncts) }
    }

    /// Whether one holds, or both.
    public static func || (left: Self, right: Self) -> Self {
        left.joined(with: right) { .any($0.alternatives + $1.alternatives) }
    }

    /// Whether the condition does not hold.
    public static prefix func ! (condition: Self) -> Self {
        Self(.not(condition.tree), root: condition.root)
    }

    private func joined(
        with other: Self, _ join: (ConditionTree, ConditionTree) -> ConditionTree
    ) -> Self {
        if let root, let otherRoot = other.root, root != otherRoot { return .ofOtherRecord }
        return Self(join(tree, other.tree), root: root ?? other.root)
    }

    /// The condition as one of a record; invalid where it names the fields of another.
    func checked<Root: MappedRecord>(for type: Root.Type) -> Self {
        root == nil || root == ObjectIdentifier(type) ? self : .ofOtherRecord
    }

    /// The condition with its tree made into another one.
    func mapped(_ body: (ConditionTree) -> ConditionTree) -> Self {
        Self(body(tree), root: root)
    }

    private static var ofOtherRecord: Self {
        Self(.invalid("Its condition is of another entity."), root: nil)
    }
}
