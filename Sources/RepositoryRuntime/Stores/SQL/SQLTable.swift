/// An entity's table as a SQL store sees it: columns instead of fields.
///
/// A class, so that a binder and a row reader hold it for one retain; it never changes.
package final class SQLTable: Sendable {
    /// The entity's table.
    package let entity: EntityTable
    /// The columns, in the order of the fields.
    package let columns: [SQLColumn]
    /// The position of the first column of each field.
    package let offsets: [Int]
    /// The number of columns of each field; more than 1 for a reference to a composite id.
    package let counts: [Int]
    /// Whether every field has one column, so that a field's index is its column's position.
    package let isPlain: Bool
    /// Whether a column has a form that is not the usual one of its type.
    package let hasOtherForms: Bool
    /// The positions of the columns that make the id, in order.
    package let key: [Int]
    /// The references that the database keeps.
    package let references: [SQLReference]

    /// The table's name.
    package var name: String { entity.name }
    /// The names of the key's columns.
    package var keyNames: [String] { key.map { columns[$0].name } }

    /// Makes the table.
    ///
    /// - Parameters:
    ///   - table: the entity's table.
    ///   - schema: the schema it is part of.
    package init(_ table: EntityTable, in schema: StoreSchema) {
        entity = table
        var columns: [SQLColumn] = []
        var offsets: [Int] = []
        var references: [SQLReference] = []
        for (index, field) in table.layout.fields.enumerated() {
            let names = schema.columns(of: index, in: table)
            let forms = Self.forms(of: index, in: table, schema)
            offsets.append(columns.count)
            let rules = forms.count == 1 ? table.fields[index].rules : FieldRules()
            for (name, form) in zip(names, forms) {
                columns.append(
                    SQLColumn(
                        name: name, form: form, isOptional: field.isOptional, field: index,
                        defaultValue: forms.count == 1 ? field.defaultValue : nil, rules: rules,
                        ignoresCase: table.ignoresCase(index)))
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

    private static func forms(
        of index: Int, in table: EntityTable, _ schema: StoreSchema
    ) -> [SQLColumnForm] {
        let field = table.fields[index]
        let type = table.layout.fields[index].type
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

    /// The positions of a field's columns.
    package func columns(ofField index: Int) -> Range<Int> {
        offsets[index]..<offsets[index] + counts[index]
    }

    /// The name of a field, for messages.
    package func fieldName(_ index: Int) -> String { entity.layout.fields[index].name }
}

/// A column.
package struct SQLColumn: Sendable, Hashable {
    /// Its name, not quoted.
    package let name: String
    /// Its form.
    package let form: SQLColumnForm
    /// Whether it may be null.
    package let isOptional: Bool
    /// The index of its field.
    package let field: Int
    /// The constant default.
    package let defaultValue: StoredValue?
    /// The rules of its field; none for a component of a composite reference.
    package let rules: FieldRules
    /// Whether its texts are compared folded.
    package let ignoresCase: Bool
}

/// A reference that the database keeps.
package struct SQLReference: Sendable, Hashable {
    /// The index of the field.
    package let field: Int
    /// The field's columns.
    package let columns: [String]
    /// The table referred to.
    package let table: String
    /// The columns of its id.
    package let targetColumns: [String]
    /// The rule.
    package let onDelete: TableReference.DeleteRule

    /// What a database does when the record referred to is deleted, as SQL writes it.
    ///
    /// A restriction is `NO ACTION`, which databases check at the end of a statement, and not `RESTRICT`, which they check at
    /// each record: so records that refer to each other can be deleted together.
    package var action: String { acceptedActions[0] }

    /// The actions that mean the rule, ``action`` first: of a single record `NO ACTION` and `RESTRICT` forbid the same.
    package var acceptedActions: [String] {
        switch onDelete {
        case .restrict, .none: ["NO ACTION", "RESTRICT"]
        case .cascade: ["CASCADE"]
        case .setNull: ["SET NULL"]
        }
    }
}
