package import StoredSchema

/// The tables of a generated set. As far as possible, a table follows the tables that it refers to.
public struct StoreSchema: Sendable {
    /// The name of the generated set, such as `Library`.
    public let name: String
    /// The tables.
    public let tables: [EntityTable]
    /// The entities of the tables, in the same order; empty if the schema was created from tables.
    ///
    /// A store that encodes records as documents needs the Swift types to decode the records that
    /// refer to a deleted one.
    public let entities: [any Entity.Type]
    /// The released versions. Copies of the schema share them.
    private let released: StoredHistory
    /// The functions that changes of versions call.
    package private(set) var functions: MigrationFunctions
    /// How data of an earlier schema is treated when a store is opened with this schema.
    public private(set) var opening = OpeningMode.migrate
    /// The wishes of the program for a migration.
    package private(set) var control = MigrationControl()

    /// Creates a schema from entities. Generated sets do this.
    ///
    /// - Parameters:
    ///   - name: the name of the set.
    ///   - entities: the entities.
    ///   - history: the released versions, as the generator writes them: the parts of a JSON text.
    ///     Empty if none has been released.
    ///   - functions: the functions that changes of versions call.
    public init(
        _ name: String, _ entities: [any Entity.Type], history: [String] = [],
        functions: MigrationFunctions = MigrationFunctions()
    ) {
        self.name = name
        self.entities = entities
        tables = entities.map { Self.table(of: $0) }
        released = StoredHistory(history)
        self.functions = functions
    }

    /// Creates a schema from tables. Document stores throw if one of the tables has references.
    public init(_ name: String, _ tables: [EntityTable]) {
        self.name = name
        self.tables = tables
        entities = []
        released = StoredHistory([])
        functions = MigrationFunctions()
    }

    /// Creates the same schema with other properties of its tables.
    ///
    /// - Parameters:
    ///   - schema: the schema.
    ///   - tables: the tables, in the same order.
    package init(_ schema: StoreSchema, tables: [EntityTable]) {
        name = schema.name
        self.tables = tables
        entities = schema.entities
        released = schema.released
        functions = schema.functions
        opening = schema.opening
        control = schema.control
    }

    private static func table<E: Entity>(of entity: E.Type) -> EntityTable { E.Mapper.table }
}

extension StoreSchema: Hashable {
    /// Whether the two are the same.
    public static func == (left: StoreSchema, right: StoreSchema) -> Bool {
        left.name == right.name && left.tables == right.tables
    }

    /// Feeds what `==` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(name)
        hasher.combine(tables)
    }
}

extension StoreSchema {
    /// Returns the same schema with the functions of a migration.
    public func migrating(with functions: MigrationFunctions) -> StoreSchema {
        var schema = self
        schema.functions = functions
        return schema
    }

    /// Returns the same schema with a way of treating data of an earlier schema.
    public func opening(_ mode: OpeningMode) -> StoreSchema {
        var schema = self
        schema.opening = mode
        return schema
    }

    /// Returns the same schema with wishes for a migration.
    package func controlled(by control: MigrationControl) -> StoreSchema {
        var schema = self
        schema.control = control
        return schema
    }

    /// Returns the released versions; nil if none has been released. The first call decodes them.
    ///
    /// - Throws: `schemaMismatch` if the text was not written by this version of the generator.
    package func history() throws -> SchemaHistory? {
        do {
            return try released.versions()
        } catch {
            throw CRUDRepositoryError.schemaMismatch(
                store: name,
                differences: [
                    "the history in the generated code cannot be read: generate the code again (\(error))"
                ])
        }
    }

    /// Returns the table with a name.
    public func table(_ name: String) -> EntityTable? {
        tables.first { $0.name == name }
    }

    /// Returns the columns of a field in a SQL store: one, or `<column>_<target column>` for each
    /// component of a reference to a composite id.
    public func columns(of index: Int, in table: EntityTable) -> [String] {
        let column = table.fields[index].column
        guard case .composite(let layout) = table.layout.fields[index].type else { return [column] }
        guard let target = table.fields[index].reference.flatMap({ self.table($0.table) }),
            target.key.count == layout.fields.count
        else {
            return layout.fields.map { "\(column)_\($0.name)" }
        }
        return target.key.map { "\(column)_\(target.fields[$0].column)" }
    }
}
