internal import RepositoryRuntime

/// The records of references that a selection joins, because it sorts by their values.
///
/// Each reference becomes one derived table with columns of unique names, so that the columns of
/// the selected table need no qualification:
///
/// ```sql
/// FROM "books" LEFT JOIN
///     (SELECT "id" AS "key 1.1", "name" AS "value 1.1" FROM "authors" AS "related 1") AS "join 1"
///     ON "key 1.1" = "author"
/// ```
/// A condition on the same record becomes the condition of the derived table, which is then joined
/// without `LEFT`. The database is free to begin with either table. A join adds no rows, because a
/// record has at most one record at the end of a reference.
struct SQLJoins {
    private struct Join {
        let link: RecordLink
        let target: SQLTable
        let keys: SQLLinkKeys
        /// The condition that a record is not deleted; nil if deleted ones are joined, too.
        let presence: String?
        var conditions: [String] = []
        var values: [String] = []
    }

    private let table: SQLTable
    private let dialect: any SQLDialect
    /// The references by whose records the selection sorts.
    private let links: Set<RecordLink>
    private var joins: [Join] = []

    /// - Parameter sortKeys: the order of the selection.
    init(_ sortKeys: [SortKey], _ table: SQLTable, _ dialect: any SQLDialect) {
        self.table = table
        self.dialect = dialect
        links = Set(sortKeys.compactMap { $0.isLookedUp ? nil : $0.relative?.firstReference })
    }

    /// Adds a condition on the record of a joined reference.
    ///
    /// - Returns: nil if the condition is another one, which is written as any other; otherwise
    ///   whether it could be translated.
    mutating func add(
        _ condition: ConditionTree, _ writer: inout SQLConditionWriter
    ) -> Bool? {
        guard !links.isEmpty, case .related(let related) = condition, related.minimum == 1,
            links.contains(related.link), let index = index(of: related.link)
        else { return nil }
        guard let text = writer.condition(related.condition, onRecordsOf: joins[index].target)
        else { return false }
        joins[index].conditions.append(text)
        return true
    }

    /// Returns the operand of a value of a joined record, and adds its column; nil if the value
    /// belongs to no joined reference or the database cannot sort by it.
    mutating func operand(_ value: RelatedValue) -> SQLOperand? {
        guard case .behind(let link, let inner) = value, links.contains(link),
            let index = index(of: link),
            var operand = joins[index].target.operand(
                inner, named: alias(index), depth: index + 2, dialect)
        else { return nil }
        var join = joins[index]
        let position = join.values.firstIndex(of: operand.text) ?? join.values.count
        if position == join.values.count { join.values.append(operand.text) }
        joins[index] = join
        operand.text = name("value", index, position)
        operand.isOptional = operand.isOptional || join.conditions.isEmpty
        operand.source = nil
        return operand
    }

    /// The `JOIN` clauses with a leading space, or an empty string.
    var text: String {
        joins.enumerated().map { index, join in
            var columns: [String] = []
            for (position, key) in join.keys.inner.enumerated() {
                columns.append("\(key) AS \(name("key", index, position))")
            }
            for (position, value) in join.values.enumerated() {
                columns.append("\(value) AS \(name("value", index, position))")
            }
            let tests = [join.presence].compactMap(\.self) + join.conditions
            let filter = tests.isEmpty ? "" : " WHERE \(tests.joined(separator: " AND "))"
            let matches = join.keys.outer.enumerated().map { position, key in
                "\(name("key", index, position)) = \(key)"
            }
            return (join.conditions.isEmpty ? " LEFT JOIN" : " JOIN")
                + " (SELECT \(columns.joined(separator: ", "))"
                + " FROM \(dialect.quoted(join.target.name)) AS \(alias(index))\(filter))"
                + " AS \(dialect.quoted("join \(index + 1)"))"
                + " ON \(matches.joined(separator: " AND "))"
        }.joined()
    }

    /// Returns the index of the join of a reference, and adds the join if there is none; nil if the
    /// tables store the id in different forms.
    private mutating func index(of link: RecordLink) -> Int? {
        if let index = joins.firstIndex(where: { $0.link == link }) { return index }
        guard let target = table.related(link.target.linkedTable),
            let keys = SQLLinkKeys(link, from: table, to: target, dialect)
        else { return nil }
        let presence = target.presence(link, dialect)
        if link.hidesDeleted, presence == nil { return nil }
        joins.append(Join(link: link, target: target, keys: keys, presence: presence))
        return joins.count - 1
    }

    private func alias(_ index: Int) -> String { dialect.quoted("related \(index + 1)") }

    private func name(_ word: String, _ index: Int, _ position: Int) -> String {
        dialect.quoted("\(word) \(index + 1).\(position + 1)")
    }
}

extension RelatedValue {
    /// The reference to the record whose value it is, or that leads there.
    fileprivate var firstReference: RecordLink? {
        guard case .behind(let link, _) = self, link.reference != nil else { return nil }
        return link
    }
}
