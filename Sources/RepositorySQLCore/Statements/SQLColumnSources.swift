package import RepositoryRuntime
internal import StoredSchema

/// Expresses the changes of versions to a table in SQL: fields that are renamed, removed, or filled
/// with a constant.
///
/// Any other change needs the program to read each record.
package struct SQLColumnSources {
    /// The expression over the stored columns for each declared column that has one.
    package private(set) var expressions: [String: String] = [:]
    /// The constants that stored records get, by the index of the declared field.
    package private(set) var fills: [Int: StoredValue] = [:]

    /// How a field gets its values from the stored columns.
    private enum ColumnOrigin {
        /// From its own columns.
        case columns([String])
        /// From its column, with a constant in place of null.
        case filled([String], StoredValue)
        /// From a constant.
        case constant(StoredValue)
    }

    private let dialect: any SQLDialect

    /// Computes the expressions; the result is nil if SQL cannot express a change.
    ///
    /// - Parameters:
    ///   - migration: the changes of the table.
    ///   - table: the declared table.
    ///   - schema: the declared schema.
    ///   - dialect: the dialect of the database.
    package init?(
        _ migration: TableMigration, _ table: SQLTable, _ schema: StoreSchema,
        _ dialect: any SQLDialect
    ) {
        self.dialect = dialect
        guard let fields = Self.fields(of: migration) else { return nil }
        // Encrypted values are bound to the ids of their records.
        if table.entity.hasEncryptedFields, migration.program.changesIDs { return nil }
        let declared = StoredTable(table.entity, in: schema)
        for (index, field) in declared.fields.enumerated() {
            guard let name = migration.sources[index], let source = fields[name] else { continue }
            guard add(source, table, index, field, migration.changed.field(name)) else {
                return nil
            }
        }
    }

    /// Returns the sources of the fields after all changes, by name; nil if a change is not
    /// supported.
    private static func fields(of migration: TableMigration) -> [String: ColumnOrigin]? {
        var fields: [String: ColumnOrigin] = [:]
        for field in migration.stored.fields { fields[field.name] = .columns(field.columns) }
        var name = migration.stored.name
        for change in migration.changes.flatMap(\.changes) {
            if case .renameTable(let old, let new) = change {
                if String.isSameIdentifier(old, name) { name = new }
                continue
            }
            if case .records(let table, _, _) = change, String.isSameIdentifier(table, name) {
                return nil
            }
            guard let path = change.path, String.isSameIdentifier(path.table, name) else {
                continue
            }
            guard path.steps.count == 1, let field = path.field else { return nil }
            switch change {
            case .rename(_, let new): fields[new] = fields.removeValue(forKey: field)
            case .remove: fields[field] = nil
            case .add(_, _, _, let value): fields[field] = .constant(StoredValue(value))
            case .require(_, let value):
                switch fields[field] {
                case .columns(let columns)?:
                    fields[field] = .filled(columns, StoredValue(value))
                case .constant(.null)?: fields[field] = .constant(StoredValue(value))
                case .constant?, nil: break
                // The fill of an earlier version has left no null.
                case .filled?: break
                }
            default: return nil
            }
        }
        return fields
    }

    /// Checks constants that are filled in against the rules of the declared fields.
    ///
    /// - Parameters:
    ///   - table: the declared table.
    ///   - store: the kind of store, for the message.
    /// - Throws: `schemaMismatch`.
    package func requireValidFills(_ table: SQLTable, in store: String) throws {
        for (index, value) in fills.sorted(by: { $0.key < $1.key }) {
            guard let reason = value.violation(of: table.entity.fields[index].rules) else {
                continue
            }
            throw CRUDRepositoryError.schemaMismatch(
                store: store,
                differences: [
                    "the fill of the field '\(table.fieldName(index))' of '\(table.name)' \(reason)"
                ])
        }
    }

    /// Adds the expressions of a field.
    ///
    /// - Returns: whether SQL can express them.
    private mutating func add(
        _ source: ColumnOrigin, _ table: SQLTable, _ index: Int, _ field: StoredField,
        _ changed: StoredField?
    ) -> Bool {
        let columns = table.columns(ofField: index).map { table.columns[$0] }
        switch source {
        case .columns(let stored):
            guard stored.count == columns.count, changed?.storedAs == field.storedAs else {
                return false
            }
            for (column, name) in zip(columns, stored) {
                expressions[column.name] = dialect.quoted(name)
            }
        case .filled(let stored, let value):
            fills[index] = value
            guard stored.count == 1, columns.count == 1, changed?.storedAs == field.storedAs,
                let literal = dialect.literal(value, as: columns[0].form)
            else { return false }
            expressions[columns[0].name] = "COALESCE(\(dialect.quoted(stored[0])), \(literal))"
        case .constant(let value):
            fills[index] = value
            guard columns.count == 1 || value == .null else { return false }
            for column in columns {
                guard let literal = dialect.literal(value, as: column.form) else { return false }
                expressions[column.name] = literal
            }
        }
        return true
    }
}
