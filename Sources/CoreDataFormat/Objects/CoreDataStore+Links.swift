extension CoreDataStore {
    /// Returns the links of a relationship to many, in the order of the owners' keys, and in the
    /// order of each owner's objects.
    ///
    /// - Parameters:
    ///   - entity: the entity of the owners.
    ///   - property: the relationship.
    ///   - key: only links of owners with a greater key are returned.
    /// - Returns: `nil` if nothing is stored for the relationship.
    /// - Throws: ``CoreDataFileError``.
    package func links(
        _ entity: String, _ property: String, after key: Int? = nil
    ) throws(CoreDataFileError) -> LinkCursor? {
        guard let place = layout.place(entity, property, in: model), let links = place.links else {
            return nil
        }
        let query: String
        switch links {
        case .column(let other, let column):
            guard let table = layout.tables[other] else { return nil }
            let numbers = model.tree(other).compactMap { layout.numbers[$0.name] }
            let owner = Database.quoted(column)
            let order = place.orderColumn.map { Database.quoted($0) + ", " } ?? ""
            let after = key.map { "\(owner) > \($0)" } ?? "\(owner) IS NOT NULL"
            query =
                "SELECT \(owner), Z_PK, Z_ENT FROM \(Database.quoted(table)) WHERE \(after) "
                + "AND Z_ENT IN (\(numbers.map(String.init).joined(separator: ", "))) "
                + "ORDER BY \(owner), \(order)Z_PK"
        case .table(let other, let table, let own, let far, let isReflexive):
            guard let target = layout.tables[other] else { return nil }
            let (own, far) = (Database.quoted(own), Database.quoted(far))
            let table = Database.quoted(table)
            // Both directions of a reflexive relationship are usually stored, but either counts.
            let rows =
                isReflexive
                ? "(SELECT \(own) AS a, \(far) AS b, NULL AS c FROM \(table) "
                    + "UNION SELECT \(far), \(own), NULL FROM \(table))"
                : "(SELECT \(own) AS a, \(far) AS b, "
                    + "\(place.orderColumn.map(Database.quoted) ?? "NULL") AS c FROM \(table))"
            let after = key.map { " WHERE l.a > \($0)" } ?? ""
            query =
                "SELECT l.a, l.b, t.Z_ENT FROM \(rows) AS l LEFT JOIN \(Database.quoted(target)) "
                + "AS t ON t.Z_PK = l.b\(after) ORDER BY l.a, l.c, l.b"
        }
        return LinkCursor(try database.query(query), names: layout.names)
    }
}
