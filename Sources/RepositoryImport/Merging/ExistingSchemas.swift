internal import RepositoryGeneratorCore
package import RepositorySchema
package import RepositorySchemaParser

/// Schemas that a person has edited since an earlier import.
package struct ExistingSchemas {
    /// The schema files.
    let files: [SchemaSource]
    /// The settings file; `nil` if there is none.
    let settings: SchemaSource?
    /// The parsed schemas.
    let set: SchemaSet
    /// The entities, in the order of the files.
    let entities: [ExistingEntity]

    /// The errors of schemas, to which nothing can be added.
    package struct Errors: Error {
        /// The errors at their locations.
        package let diagnostics: [Diagnostic]
    }

    /// Parses and validates schemas.
    ///
    /// - Parameters:
    ///   - files: the schema files.
    ///   - settings: the settings file, if there is one.
    /// - Throws: ``Errors`` if the schemas have errors.
    package init(files: [SchemaSource], settings: SchemaSource?) throws(Errors) {
        let (set, found) = SchemaParser.parse(files: files, settings: settings)
        let errors = found.isEmpty ? Validator.validate(set) : found
        guard errors.isEmpty else { throw Errors(diagnostics: errors) }
        self.files = files
        self.settings = settings
        self.set = set
        let types = TypeResolver(set)
        entities = set.declarations.compactMap { declaration in
            guard case .entity(let entity) = declaration else { return nil }
            return ExistingEntity(entity, in: set, types)
        }
    }

    /// Returns the entity of a table; `nil` if no schema describes the table.
    func entity(ofTable table: String) -> ExistingEntity? {
        entities.first { SQLText.isSameName($0.table, table) }
    }

    /// Returns whether a column gets a new field.
    func lacks(_ table: TableShape, _ column: TableShape.Column) -> Bool {
        guard let entity = entity(ofTable: table.name) else { return true }
        return !entity.isManaged && entity.field(ofColumn: column.name) == nil
    }

    /// The names that the schemas give to tables and columns.
    var names: KnownNames {
        var names = KnownNames(
            setName: set.settings.name, keepsNames: set.settings.columns == .asWritten)
        for entity in entities {
            names.tables[SQLText.folded(entity.table)] = entity.names
        }
        names.types = Set(set.declarations.map { $0.header.name.value.lowercased() })
        for file in files {
            let base = file.path.split(separator: "/").last?.dropLast(".yaml".count) ?? ""
            names.types.insert(base.lowercased())
        }
        return names
    }
}
