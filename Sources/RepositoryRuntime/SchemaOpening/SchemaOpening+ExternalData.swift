package import StoredSchema

extension SchemaOpening {
    /// Adds a problem for each table with external data whose records get other ids or move to
    /// other tables: external data belongs to the id and the table of a record.
    mutating func refuseMovedExternalData() {
        for (name, migration) in migrations.sorted(by: { $0.key < $1.key })
        where migration.program.changesIDs && migration.stored.hasExternalData {
            problems.append(
                "the ids of '\(name)' change, and its external data belongs to the former ids")
        }
        for name in Set(replacedTables).union(producedTables).sorted() {
            let tables = [before.table(name)?.table, target.tables.first { $0.name == name }]
            guard tables.contains(where: { $0?.hasExternalData == true }) else { continue }
            problems.append(
                "a function of a version replaces the table '\(name)', and no migration moves external data"
            )
        }
        for table in target.tables {
            guard let old = compared.tables.first(where: { $0.name == table.name }) else {
                continue
            }
            for field in table.fields where field.type == .externalData {
                guard let former = old.fields.first(where: { $0.name == field.name }),
                    former.type != .externalData
                else { continue }
                problems.append(
                    "the field '\(field.name)' of '\(table.name)' becomes external, and no migration moves its data"
                )
            }
        }
    }
}

extension StoredShape {
    /// The size and hash of data that is stored apart from its record.
    fileprivate static let externalData = StoredShape(StoredBaseType.externalData)
}

extension StoredTable {
    /// Whether a field has external data.
    package var hasExternalData: Bool { fields.contains { $0.type == .externalData } }
}
