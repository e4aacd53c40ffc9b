/// A relation of an entity, for conditions on the related records:
/// `$0.loans.any { $0.returnedAt == nil }`, `$0.loans.count >= 3`.
///
/// The sort order and the limit of the relation do not apply. A record that a join entity connects
/// several times counts once.
public struct QueryRelation<Root: MappedRecord, Related: LinkedRecord>: Sendable {
    /// The way from the record, outermost first. The last link is that of the relation.
    let links: [RecordLink]
    /// How the records that the last link finds refer to the related ones; nil if they are the
    /// related ones.
    let join: RecordLink?

    /// Creates the relation of the records that refer to this one by one of their fields.
    ///
    /// - Parameters:
    ///   - name: the name of the relation in the schema.
    ///   - field: the property of the related entity that holds the id.
    public init(_ name: String, by field: String) {
        self.init(links: [RecordLink(name, from: Related.self, by: field)], join: nil)
    }

    /// Creates the relation of the records that a join entity connects to this one.
    ///
    /// - Parameters:
    ///   - name: the name of the relation in the schema.
    ///   - join: the entity that refers to both records.
    ///   - field: the property of the join entity that holds the id of this record.
    ///   - other: the property of the join entity that holds the id of the related record.
    public init<Join: LinkedRecord>(
        _ name: String, through join: Join.Type, from field: String, to other: String
    ) {
        let path = FieldPath(Join.Mapper.layout.indexByKey[other] ?? -1)
        self.init(
            links: [RecordLink(name, from: Join.self, by: field)],
            join: RecordLink(other, path, to: Related.self))
    }

    init(links: [RecordLink], join: RecordLink?) {
        self.links = links
        self.join = join
    }

    /// Whether at least one related record satisfies a condition; false without related records.
    public func any(_ condition: (Related.Fields) -> Condition) -> Condition {
        linked(atLeast(1, condition(Related.Fields())))
    }

    /// Whether no related record satisfies a condition; true without related records.
    public func none(_ condition: (Related.Fields) -> Condition) -> Condition {
        linked(.not(atLeast(1, condition(Related.Fields()))))
    }

    /// Whether all related records satisfy a condition; true without related records.
    public func all(_ condition: (Related.Fields) -> Condition) -> Condition {
        none { !condition($0) }
    }

    /// The number of related records.
    public var count: RelatedCount<Root, Related> { RelatedCount(relation: self) }

    /// Returns the condition of the record that has the relation: at least a number of related
    /// records satisfies a condition.
    func atLeast(
        _ minimum: Int, _ condition: Condition = Condition(.constant(true))
    ) -> ConditionTree {
        let tree = condition.checked(for: Related.self).tree
        guard minimum > 0, let last = links.last else { return .constant(minimum <= 0) }
        guard let join else { return [last].condition(tree, minimum: minimum) }
        return [last].condition(
            [join].condition(tree), minimum: minimum,
            distinct: minimum > 1 ? join.reference : nil)
    }

    /// Returns the condition on the root from one on the record that has the relation.
    func linked(_ tree: ConditionTree) -> Condition {
        var tree = tree
        if let reason = tree.invalidReason { tree = .invalid(reason) }
        return Condition(Array(links.dropLast()).condition(tree), of: Root.self)
    }
}

/// The number of the related records of a record, for conditions: `$0.loans.count >= 3`.
public struct RelatedCount<Root: MappedRecord, Related: LinkedRecord>: Sendable {
    let relation: QueryRelation<Root, Related>

    /// Whether the number is greater than or equal to another one.
    public static func >= (count: Self, other: Int) -> Condition {
        count.relation.linked(count.relation.atLeast(other))
    }

    /// Whether the number is greater than another one.
    public static func > (count: Self, other: Int) -> Condition {
        count.relation.linked(count.above(other))
    }

    /// Whether the number is less than another one.
    public static func < (count: Self, other: Int) -> Condition {
        count.relation.linked(.not(count.relation.atLeast(other)))
    }

    /// Whether the number is less than or equal to another one.
    public static func <= (count: Self, other: Int) -> Condition {
        count.relation.linked(.not(count.above(other)))
    }

    /// Whether the number equals another one.
    public static func == (count: Self, other: Int) -> Condition {
        count.relation.linked(count.equal(other))
    }

    /// Whether the number differs from another one.
    public static func != (count: Self, other: Int) -> Condition {
        count.relation.linked(.not(count.equal(other)))
    }

    private func above(_ other: Int) -> ConditionTree {
        other == .max ? .constant(false) : relation.atLeast(other + 1)
    }

    private func equal(_ other: Int) -> ConditionTree {
        other < 0 ? .constant(false) : .all([relation.atLeast(other), .not(above(other))])
    }
}

extension [RecordLink] {
    /// Returns the condition that some records at the end of the links satisfy a condition.
    ///
    /// - Parameters:
    ///   - tree: the condition on the records at the end.
    ///   - minimum: how many records the last link must find.
    ///   - distinct: the field by which the last link counts records; nil for each record.
    func condition(
        _ tree: ConditionTree, minimum: Int = 1, distinct: FieldPath? = nil
    ) -> ConditionTree {
        if case .invalid = tree { return tree }
        var tree = tree
        for (position, link) in enumerated().reversed() {
            let isLast = position == count - 1
            tree = .related(
                RelatedCondition(
                    link, link.target.comparable(tree), minimum: isLast ? minimum : 1,
                    distinct: isLast ? distinct : nil))
        }
        guard tree.relatedDepth <= RelatedCondition.deepest else {
            return .invalid(
                "Its condition follows references more than \(RelatedCondition.deepest) deep.")
        }
        return tree
    }
}

extension RelatedCondition {
    /// The maximum number of links that a condition follows one after another.
    static let deepest = 8
}
