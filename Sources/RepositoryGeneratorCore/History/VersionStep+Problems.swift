internal import RepositorySchema
internal import StoredSchema

/// The check that stores can carry out a version.
///
/// Stores apply the changes to the description of the stored data and compare the result with the
/// declared schema. The same happens here, before any data is concerned.
extension VersionStep {
    /// Errors for changes that stores cannot carry out.
    var problems: [Diagnostic] {
        var found = together.flatMap { $0.problems(from: old, to: new) } + callProblems
        var reported: Set<String> = []
        for form in [SchemaComparison.Form.documents, .columns] {
            // The tables of other programs are never migrated.
            let managed = entities.filter { new.isManaged($0.entity) }.map(\.table)
            let unmanaged = entities.filter { !new.isManaged($0.entity) }.map(\.table.name)
            var tables = StoredTables.of(old.set, form).sortedTables
            for change in changes { change.apply(to: &tables) }
            tables.removeAll { unmanaged.contains($0.name) }
            let stored = SchemaDescription(name: "", history: [], tables: tables)
            let comparison = SchemaComparison.compare(
                stored: stored,
                declared: DeclaredSchema(name: "", tables: managed, unmanaged: unmanaged),
                form: form)
            guard case .mismatch(let differences) = comparison else { continue }
            for difference in differences where !difference.isVerifiedOnRecords {
                let message = difference.description
                guard reported.insert(message).inserted else { continue }
                found.append(
                    Diagnostic(
                        "stores cannot carry out this change yet: \(message)",
                        at: place(of: difference),
                        help:
                            "add a new field beside the old one instead, or write 'migrate: code' "
                            + "under the entity",
                        rule: .version))
            }
        }
        return found
    }

    /// The place of the entity whose table differs; that of the first declaration if there is none.
    private func place(of difference: SchemaDifference) -> SourceRange {
        let entity =
            entities.first { $0.table.name == difference.table }?.entity ?? new.entities.first
        return entity?.header.name.range ?? SourceRange(path: "", start: .start, end: .start)
    }
}

extension SchemaDifference {
    /// Whether stores check the stored records, and carry the change out if they fit.
    fileprivate var isVerifiedOnRecords: Bool {
        switch self {
        case .referenceAdded, .referenceChanged: true
        // Another representation or name of a column rewrites the table.
        case .columnTypeChanged, .columnTaken, .softDeleteRemoved: true
        default: false
        }
    }
}
