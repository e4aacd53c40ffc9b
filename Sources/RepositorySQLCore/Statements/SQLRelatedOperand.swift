internal import RepositoryRuntime

extension SQLTable {
    /// Returns the scalar subquery for a value that related records determine; nil if the database
    /// cannot read or sort it exactly.
    ///
    /// ```sql
    /// (SELECT "name" FROM "authors" AS "related 1" WHERE "id" = "books"."author")
    /// (SELECT count(*) FROM "loans" AS "related 1" WHERE "book" = "books"."isbn")
    /// ```
    /// The columns of the record are qualified, because a table may be related to itself. All
    /// others are those of the nearest table.
    func operand(_ value: RelatedValue, _ dialect: any SQLDialect) -> SQLOperand? {
        operand(value, named: dialect.quoted(name), depth: 1, dialect)
    }

    /// Returns the expression for a value of the record of this table.
    ///
    /// - Parameters:
    ///   - alias: the quoted name of the table in the statement.
    ///   - depth: the number of the first name that the expression may give to another table.
    func operand(
        _ value: RelatedValue, named alias: String, depth: Int, _ dialect: any SQLDialect
    ) -> SQLOperand? {
        switch value {
        case .field(let path):
            guard path.field >= 0, let operands = operands(path, dialect), operands.count == 1,
                dialect.orders(operands[0].form)
            else { return nil }
            return operands[0]
        case .behind(let link, let value):
            let inner = dialect.quoted("related \(depth)")
            guard let (target, condition) = connected(by: link, named: alias, dialect),
                var operand = target.operand(value, named: inner, depth: depth + 1, dialect)
            else { return nil }
            operand.text =
                "(SELECT \(operand.text) FROM \(dialect.quoted(target.name)) AS "
                + "\(inner) WHERE \(condition))"
            operand.isOptional = true
            operand.source = nil
            return operand
        case .count(let link, let join):
            guard let (found, condition) = connected(by: link, named: alias, dialect) else {
                return nil
            }
            var source = "\(dialect.quoted(found.name)) AS \(dialect.quoted("related \(depth)"))"
            var filter = condition
            if let join {
                guard let target = found.related(join.target.linkedTable),
                    let keys = SQLLinkKeys(join, from: found, to: target, dialect)
                else { return nil }
                filter =
                    "\(SQLLinkKeys.row(keys.inner)) IN (SELECT "
                    + "\(keys.outer.joined(separator: ", ")) FROM \(source) WHERE \(condition))"
                if join.hidesDeleted {
                    guard let presence = target.presence(join, dialect) else { return nil }
                    filter += " AND \(presence)"
                }
                source = dialect.quoted(target.name)
            }
            return SQLOperand(
                text: "(SELECT count(*) FROM \(source) WHERE \(filter))", form: .count,
                isOptional: false)
        }
    }

    /// Returns the table to which a link leads, and the condition on its records that they belong
    /// to the record of this table with a name.
    private func connected(
        by link: RecordLink, named alias: String, _ dialect: any SQLDialect
    ) -> (table: SQLTable, condition: String)? {
        guard let target = related(link.target.linkedTable),
            let keys = SQLLinkKeys(link, from: self, to: target, dialect)
        else { return nil }
        let outer = keys.outer.map { "\(alias).\($0)" }
        var condition = "\(SQLLinkKeys.row(keys.inner)) = \(SQLLinkKeys.row(outer))"
        if link.hidesDeleted {
            guard let presence = target.presence(link, dialect) else { return nil }
            condition += " AND \(presence)"
        }
        return (target, condition)
    }

    /// Returns the condition that a record of this table, which a link finds, is not deleted; nil
    /// if the database cannot test it.
    func presence(_ link: RecordLink, _ dialect: any SQLDialect) -> String? {
        guard let path = link.hiddenPath, let operand = operands(path, dialect)?.first else {
            return nil
        }
        return "\(operand.presence) IS NULL"
    }
}
