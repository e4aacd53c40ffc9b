package import RepositoryRuntime
internal import Synchronization

/// An entity's table from the point of view of a SQL store: columns instead of fields.
///
/// This is an immutable class, so that a binder and a row reader hold it at the cost of one retain.
package final class SQLTable: Sendable {
    /// The table of the entity.
    package let entity: EntityTable
    /// The columns, in the order of the fields.
    package let columns: [SQLColumn]
    /// The position of the first column of each field.
    package let offsets: [Int]
    /// The number of columns of each field; more than 1 for a reference to a composite id.
    package let counts: [Int]
    /// Whether every field has exactly one column, so that the index of a field is the position of
    /// its column.
    package let isPlain: Bool
    /// Whether any column has a representation other than the default of its type.
    package let hasOtherForms: Bool
    /// Encrypts and decrypts fields; nil for a table without encrypted fields, and for one that is
    /// not used to read or write records.
    package let cipher: RecordCipher?
    /// The positions of the columns that form the id, in order.
    package let key: [Int]
    /// The references that the database enforces.
    package let references: [SQLReference]
    /// The schema to which the table belongs.
    let schema: StoreSchema
    /// Which representations the database has.
    private let kind: SQLTableKind
    /// The tables that conditions on related records have used.
    private let relatives = Mutex<[String: SQLTable]>([:])
    /// The statements and plans of selections.
    let shapes = SQLShapeCache()

    /// The name of the table.
    package var name: String { entity.name }
    /// The names of the primary key columns.
    package var keyNames: [String] { key.map { columns[$0].name } }

    /// Creates the table.
    ///
    /// - Parameters:
    ///   - table: the table of the entity.
    ///   - schema: the schema to which the table belongs.
    ///   - kind: which representations the database has.
    ///   - encryption: encrypts the fields that are declared to be encrypted.
    package init(
        _ table: EntityTable, in schema: StoreSchema, for kind: SQLTableKind = .declared,
        encryption: (any FieldCipher)? = nil
    ) {
        entity = table
        cipher = encryption.flatMap { RecordCipher(table, $0) }
        self.schema = schema
        self.kind = kind
        var columns: [SQLColumn] = []
        var offsets: [Int] = []
        var references: [SQLReference] = []
        for (index, field) in table.layout.fields.enumerated() {
            let names = schema.columns(of: index, in: table)
            let forms = Self.forms(of: index, in: table, schema, kind)
            offsets.append(columns.count)
            let isEncrypted = forms == [.encrypted]
            let isWhole = forms.count == 1 && !isEncrypted
            let rules = isWhole ? table.fields[index].rules : FieldRules()
            for (name, form) in zip(names, forms) {
                columns.append(
                    SQLColumn(
                        name: name, form: form, isOptional: field.isOptional, field: index,
                        defaultValue: isWhole ? field.defaultValue : nil, rules: rules,
                        ignoresCase: !isEncrypted && table.ignoresCase(index),
                        isHashed: isEncrypted && table.isEncryptedWithIndex(index),
                        isWritten: !table.onlyReadFields.contains(index),
                        foldedName: kind.foldedName(of: name, index, in: table)))
            }
            if let reference = table.fields[index].reference, reference.isEnforced,
                let target = schema.table(reference.table), target.key.count == names.count
            {
                references.append(
                    SQLReference(
                        field: index, columns: names, table: target.name,
                        targetColumns: target.key.flatMap { schema.columns(of: $0, in: target) },
                        onDelete: reference.onDelete))
            }
        }
        self.columns = columns
        self.offsets = offsets
        self.references = references
        counts = offsets.indices.map { index in
            (index + 1 < offsets.count ? offsets[index + 1] : columns.count) - offsets[index]
        }
        key = table.key.map { offsets[$0] }
        isPlain = columns.count == offsets.count
        hasOtherForms = columns.contains(where: \.form.isOther)
    }

    /// Copies a table with other columns, which may differ only in their folded columns.
    private init(_ other: SQLTable, columns: [SQLColumn]) {
        entity = other.entity
        self.columns = columns
        offsets = other.offsets
        counts = other.counts
        isPlain = other.isPlain
        hasOtherForms = other.hasOtherForms
        cipher = other.cipher
        key = other.key
        references = other.references
        schema = other.schema
        kind = other.kind
    }

    /// Returns another table of the same schema; nil if the schema has no such table, or if
    /// statements would read its folded columns, which a database may lack.
    package func related(_ name: String) -> SQLTable? {
        if let known = relatives.withLock({ $0[name] }) { return known }
        guard let entity = schema.table(name) else { return nil }
        let table = SQLTable(entity, in: schema, for: kind)
        if kind == .declared, table.columns.contains(where: { $0.foldedName != nil }) { return nil }
        relatives.withLock { $0[name] = table }
        return table
    }

    /// Returns the same table for statements that fold strings themselves and do not read folded
    /// columns; nil if the table has none.
    package func withoutFoldedColumns() -> SQLTable? {
        guard columns.contains(where: { $0.foldedName != nil }) else { return nil }
        return SQLTable(
            self,
            columns: columns.map { column in
                var column = column
                column.foldedName = nil
                return column
            })
    }

    /// Returns the representations of the columns of a field. A composite reference takes them from
    /// the id to which it refers.
    ///
    /// The result has one element for each column of the field.
    private static func forms(
        of index: Int, in table: EntityTable, _ schema: StoreSchema, _ kind: SQLTableKind
    ) -> [SQLColumnForm] {
        let field = table.fields[index]
        let type = table.layout.fields[index].type
        if field.isEncrypted { return [.encrypted] }
        if kind == .native {
            if field.readsAsText { return [.anyText] }
            guard case .composite(let layout) = type else { return [SQLColumnForm(native: type)] }
            return layout.fields.map { SQLColumnForm(native: $0.type) }
        }
        if field.readsAsText { return [.anyText] }
        if kind == .plain {
            guard case .composite(let layout) = type else { return [SQLColumnForm(type)] }
            return layout.fields.map { SQLColumnForm($0.type) }
        }
        var forms = [SQLColumnForm(type, storedAs: field.storedAs)]
        if case .composite(let layout) = type {
            let target = field.reference.flatMap { schema.table($0.table) }
            let declared = target.map { target in target.key.map { target.fields[$0].storedAs } }
            forms = layout.fields.enumerated().map { position, component in
                SQLColumnForm(
                    component.type,
                    storedAs: declared?.count == layout.fields.count ? declared?[position] : nil)
            }
        }
        return table.isManaged ? forms : forms.map(\.foreign)
    }

    /// Returns the positions of the columns of a field.
    package func columns(ofField index: Int) -> Range<Int> {
        offsets[index]..<offsets[index] + counts[index]
    }

    /// Returns the name of a field, for messages.
    package func fieldName(_ index: Int) -> String { entity.layout.fields[index].name }
}

/// A column of a table.
package struct SQLColumn: Sendable, Hashable {
    /// The name, not quoted.
    package let name: String
    /// The representation of the values.
    package let form: SQLColumnForm
    /// Whether the column may be null.
    package let isOptional: Bool
    /// The index of the field.
    package let field: Int
    /// The constant default; nil for an encrypted value.
    package let defaultValue: StoredValue?
    /// The rules of the field; empty for a component of a composite reference and for an encrypted
    /// value.
    package let rules: FieldRules
    /// Whether strings are compared by simple case folding.
    package let ignoresCase: Bool
    /// Whether the encrypted values are preceded by their keyed hashes, for an index; see
    /// ``IndexHead``.
    package let isHashed: Bool
    /// Whether statements write the column. The database computes the values of others.
    package let isWritten: Bool
    /// The name, not quoted, of the column with the case-folded string; nil if statements fold the
    /// string themselves.
    ///
    /// Indexes use this column. An index over an application-defined function would prevent
    /// programs without that function from writing to the table and from checking the integrity of
    /// the database.
    package fileprivate(set) var foldedName: String?

    /// The prefix of the names of folded columns.
    package static let foldedPrefix = "repository_folded_"

    /// Returns the name of the column with the folded text of a column, in a database with native
    /// representations.
    package static func foldedName(of column: String) -> String { column + "_folded" }
}

/// Which representations a database has for the values of a table.
package enum SQLTableKind: Sendable {
    /// Few column types, and other representations where a schema declares them: SQLite.
    case declared
    /// A column type for each base type, and a folded column for each field that ignores case:
    /// PostgreSQL.
    case native
    /// Integers, floating-point numbers, texts and bytes, whatever a schema declares for a certain
    /// database, and a folded column for each field that ignores case: a database of which nothing
    /// else is known.
    case plain

    /// Returns the name of the column with the folded text of a column; nil if there is none.
    fileprivate func foldedName(
        of column: String, _ field: Int, in table: EntityTable
    ) -> String? {
        switch self {
        case .declared: table.needsFoldedColumn(field) ? SQLColumn.foldedPrefix + column : nil
        case .native, .plain:
            table.hasFoldedColumn(field) ? SQLColumn.foldedName(of: column) : nil
        }
    }
}

/// Decides which columns are added for indexes that ignore case.
extension EntityTable {
    /// Returns whether a field can have a folded column and an index uses its case-folded value.
    fileprivate func needsFoldedColumn(_ field: Int) -> Bool {
        hasFoldedColumn(field)
            && indexes.contains { index in
                index.keys.contains { $0.path == FieldPath(field) }
                    || index.condition?.fields.contains(field) ?? false
            }
    }
}

/// A reference that the database enforces with a foreign key.
package struct SQLReference: Sendable, Hashable {
    /// The index of the field.
    package let field: Int
    /// The columns of the field.
    package let columns: [String]
    /// The table to which the field refers.
    package let table: String
    /// The primary key columns of that table.
    package let targetColumns: [String]
    /// The delete rule.
    package let onDelete: TableReference.DeleteRule

    /// The `ON DELETE` action as SQL.
    ///
    /// The rule `restrict` becomes `NO ACTION`, which databases check at the end of a statement,
    /// instead of `RESTRICT`, which they check for each row. Records that refer to each other can
    /// then be deleted together.
    package var action: String { acceptedActions[0] }

    /// The actions in an existing table that are equivalent to the rule, with ``action`` first. For
    /// the deletion of a single record, `NO ACTION` and `RESTRICT` are equivalent.
    package var acceptedActions: [String] {
        switch onDelete {
        case .restrict, .none: ["NO ACTION", "RESTRICT"]
        case .cascade: ["CASCADE"]
        case .setNull: ["SET NULL"]
        }
    }
}

extension SQLTable {
    /// Returns the tables that a deletion can reach, by following references transitively.
    package func reached(among tables: [SQLTable]) -> [String] {
        var reached: Set<String> = []
        var deleted: Set<String> = [name]
        var waiting = [name]
        while let target = waiting.popLast() {
            for other in tables {
                for reference in other.references where reference.table == target {
                    switch reference.onDelete {
                    case .cascade:
                        reached.insert(other.name)
                        if deleted.insert(other.name).inserted { waiting.append(other.name) }
                    case .setNull: reached.insert(other.name)
                    case .restrict, .none: break
                    }
                }
            }
        }
        return reached.sorted()
    }
}
