internal import RepositorySchema

extension VersionComparison {
    /// The functions of the generated protocol that the changes need, in the order of the changes,
    /// each with the changes that it carries out.
    package var functions: [(name: String, changes: [SchemaChange])] {
        var result: [(name: String, changes: [SchemaChange])] = []
        var indices: [String: Int] = [:]
        for change in changes {
            guard let name = change.function else { continue }
            if let index = indices[name] {
                result[index].changes.append(change)
            } else {
                indices[name] = result.count
                result.append((name, [change]))
            }
        }
        return result
    }
}

extension SchemaComparer {
    /// Returns the name of the function that carries out a change; nil if none does.
    ///
    /// - Parameter field: The present field that has the change.
    func function(for change: SchemaChange, _ field: FieldDeclaration? = nil) -> String? {
        guard !change.isUndecided, let decision = change.decision, decision.isCode else {
            return nil
        }
        let name = MigrationFunctionName(number: number + 1)
        guard case .migrate(let migrate) = decision else {
            return field.map { name.value(new.property(of: $0), of: change.declaration) }
        }
        return migrate.entities.isEmpty
            ? name.records(of: change.declaration) : name.tables(of: migrate)
    }
}
