/// A condition on the fields of a record. The operators of ``QueryField`` create conditions; `&&`,
/// `||` and `!` combine them.
///
/// Conditions use two-valued logic, not the three-valued logic of SQL. Null equals only null, and
/// every other comparison with null is false. `!` negates that result: `!($0.pages > 300)` is true
/// if `pages` is null.
///
/// The type is not generic over the record, because the compiler would then need seconds to report
/// an error in a conjunction of a few conditions. Instead, the record type is checked at run time,
/// when conditions are combined and when a query takes one.
///
/// ```swift
/// Query<Book>.where { $0.pages > 300 && !($0.title.hasPrefix("A")) || $0.status == .lent }
/// ```
public struct Condition: Sendable, Hashable {
    /// The condition as a tree, for query planners.
    public let tree: ConditionTree
    /// The type of the record whose fields the condition names; nil if it names none.
    private let root: ObjectIdentifier?
    /// Whether the condition asks for records of another entity.
    let namesRelatives: Bool
    /// The depth of the tree, cached so that combining conditions does not measure it again.
    private let depth: Int

    /// Creates a condition from a tree. It can be used with any record type.
    ///
    /// A condition deeper than 128 levels of `&&`, `||` and `!` is invalid, however it is created:
    /// a query with it throws `invalidQuery`.
    public init(_ tree: ConditionTree) {
        self.init(tree, root: nil)
    }

    /// Creates a condition on the fields of a record type.
    init<Root: MappedRecord>(_ tree: ConditionTree, of root: Root.Type) {
        self.init(tree, root: ObjectIdentifier(root))
    }

    private init(_ tree: ConditionTree, root: ObjectIdentifier?) {
        self.init(tree, root: root, depth: tree.depth, namesRelatives: tree.namesRelatives)
    }

    /// Creates a condition of known depth, or an invalid one if it is too deep.
    private init(
        _ tree: ConditionTree, root: ObjectIdentifier?, depth: Int, namesRelatives: Bool
    ) {
        self.root = root
        self.namesRelatives = namesRelatives
        if depth <= ConditionTree.deepest {
            self.tree = tree
            self.depth = depth
        } else {
            self.tree = .invalid(
                "Its condition is more than \(ConditionTree.deepest) levels of &&, || and ! deep.")
            self.depth = 1
        }
    }

    /// Whether both conditions hold.
    public static func && (left: Self, right: Self) -> Self {
        left.joined(with: right, by: ConditionJoining(isAll: true))
    }

    /// Whether at least one of the conditions holds.
    public static func || (left: Self, right: Self) -> Self {
        left.joined(with: right, by: ConditionJoining(isAll: false))
    }

    /// Whether the condition does not hold. A double negation is removed.
    public static prefix func ! (condition: Self) -> Self {
        switch condition.tree {
        case .not(let inner):
            Self(
                inner, root: condition.root, depth: condition.depth - 1,
                namesRelatives: condition.namesRelatives)
        case .invalid: condition
        case .constant, .compare, .compareFields, .isIn, .text, .hasElement, .related, .all, .any:
            Self(
                .not(condition.tree), root: condition.root, depth: condition.depth + 1,
                namesRelatives: condition.namesRelatives)
        }
    }

    /// Combines two conditions, and computes the depth from their depths where possible. Conditions
    /// of different record types give an invalid condition.
    private func joined(with other: Self, by joining: ConditionJoining) -> Self {
        // The condition of a query before its first one.
        if root == nil, case .constant(joining.isAll) = tree { return other }
        if let root, let otherRoot = other.root, root != otherRoot { return .ofOtherRecord }
        // A list joined with its like stays one level.
        let depths = [self, other].map {
            $0.tree.members(isAll: joining.isAll) == nil ? $0.depth + 1 : $0.depth
        }
        let tree = joining.join(tree, other.tree)
        let isJoined = tree.members(isAll: joining.isAll) != nil
        return Self(
            tree, root: root ?? other.root,
            depth: isJoined ? max(depths[0], depths[1]) : tree.depth,
            namesRelatives: namesRelatives || other.namesRelatives)
    }

    /// Returns the condition, or an invalid one if it names the fields of another record type.
    func checked<Root: MappedRecord>(for type: Root.Type) -> Self {
        root == nil || root == ObjectIdentifier(type) ? self : .ofOtherRecord
    }

    /// Returns the condition with a transformed tree. The transformation must not change the depth.
    func mapped(_ body: (ConditionTree) -> ConditionTree) -> Self {
        Self(body(tree), root: root, depth: depth, namesRelatives: namesRelatives)
    }

    /// The invalid condition for fields of another record type.
    private static var ofOtherRecord: Self {
        Self(
            .invalid("Its condition is of another entity."), root: nil, depth: 1,
            namesRelatives: false)
    }
}

extension Condition: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The condition with `?` for each value.
    public var description: String { tree.description }
    /// The condition without its values.
    public var debugDescription: String { description }
    /// A mirror without the values.
    public var customMirror: Mirror { Mirror(hiding: self) }
}
