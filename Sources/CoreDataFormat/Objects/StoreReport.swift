/// What is in a store, and what is wrong with it.
package struct StoreReport: Sendable {
    /// The number of objects of each entity that has some.
    package var counts: [String: Int] = [:]
    /// Rows that are no objects: without an entity, or of an unknown one.
    package var oddRows: [String] = []
    /// The number of rows of each table of Core Data's own that was left out.
    package var skippedTables: [String: Int] = [:]
    /// The number of references to objects that do not exist, by the relationship to one.
    package var danglingReferences: [String: Int] = [:]
    /// The relationships between one and one whose sides disagree, with how many do.
    package var disagreements: [String] = []
    /// What else is unusual.
    package var notes: [String] = []
}

extension CoreDataStore {
    /// Counts the objects, and checks the references.
    ///
    /// - Throws: ``CoreDataFileError``.
    package func report() throws(CoreDataFileError) -> StoreReport {
        var report = StoreReport()
        let names = layout.names
        for table in Set(layout.tables.values).sorted(by: NameOrder.precedes) {
            let groups = try database.query(
                "SELECT Z_ENT, count(*) FROM \(Database.quoted(table)) GROUP BY Z_ENT")
            while try groups.step() {
                let count = groups.integer(1) ?? 0
                guard let name = groups.integer(0).flatMap({ names[$0] }) else {
                    let number = groups.integer(0).map(String.init) ?? "null"
                    report.oddRows.append("\(table): \(count) rows with Z_ENT \(number)")
                    continue
                }
                guard layout.tables[name] == table else {
                    report.oddRows.append("\(table): \(count) rows of \(name)")
                    continue
                }
                report.counts[name] = count
                if model.entities[name]?.isAbstract == true {
                    report.oddRows.append("\(table): \(count) rows of the abstract entity \(name)")
                }
            }
        }
        for table in layout.skippedTables {
            // The tables of a location index need a module that may be missing.
            report.skippedTables[table] = try? database.number(
                "SELECT count(*) FROM \(Database.quoted(table))")
        }
        for entity in entities {
            for property in entity.sortedProperties where property.isOwn && property.isToOne {
                try checkReference(entity, property, &report)
            }
        }
        report.notes = notes
        if report.counts.isEmpty, header.usesLog, (header.sizes["-wal"] ?? 0) == 0 {
            report.notes.append(
                "the store has no objects, and uses a write-ahead log that is not there: was it left behind?"
            )
        }
        return report
    }

    private func checkReference(
        _ entity: ModelEntity, _ property: ModelProperty, _ report: inout StoreReport
    ) throws(CoreDataFileError) {
        guard !property.isTransient, let other = property.destination,
            let table = layout.tables[entity.name], let target = layout.tables[other],
            let column = layout.place(entity.name, property.name, in: model)?.column
        else { return }
        let label = "\(entity.name).\(property.name)"
        let numbers = model.tree(entity.name).compactMap { layout.numbers[$0.name] }
            .map(String.init).joined(separator: ", ")
        let (from, to) = (Database.quoted(table), Database.quoted(target))
        let key = Database.quoted(column)
        let count = try database.number(
            "SELECT count(*) FROM \(from) a WHERE a.Z_ENT IN (\(numbers)) AND a.\(key) IS NOT NULL "
                + "AND NOT EXISTS (SELECT 1 FROM \(to) b WHERE b.Z_PK = a.\(key))")
        if let count, count > 0 { report.danglingReferences[label] = count }
        guard let name = property.inverse, let inverse = model.entities[other]?.properties[name],
            inverse.isToOne, !inverse.isTransient,
            let back = layout.place(other, name, in: model)?.column
        else { return }
        let split = try database.number(
            "SELECT count(*) FROM \(from) a JOIN \(to) b ON b.Z_PK = a.\(key) WHERE a.Z_ENT IN "
                + "(\(numbers)) AND b.\(Database.quoted(back)) IS NOT a.Z_PK")
        if let split, split > 0 {
            report.disagreements.append("\(label): \(split) whose \(other).\(name) says otherwise")
        }
    }
}
