package import RepositoryRuntime

/// The SQL expression for a path of a query.
///
/// For most columns it is the quoted column itself. It is an expression for case-folded strings,
/// for representations that do not sort by value, and for members of embedded values, which are
/// extracted from JSON.
package struct SQLOperand {
    /// The quoted column, or an expression that extracts a part of it or makes it comparable.
    package var text: String
    /// The representation of the values; `json` or `encrypted` if they can only be tested for null.
    package var form: SQLColumnForm
    /// Whether the value may be null.
    package var isOptional: Bool
    /// The quoted column and its own representation, if `text` is an expression that makes the
    /// column comparable.
    var source: (text: String, form: SQLColumnForm)?
    /// Whether strings are folded in a table of another owner, whose index may ignore the case of
    /// ASCII letters.
    var isFoldedForeign = false

    /// An expression for tests of equality, where it is not `text`.
    var equatable: String?

    /// An expression that is null exactly if the value is null.
    var presence: String { source?.text ?? text }
}

extension SQLTable {
    /// Returns the operand of a column.
    func operand(_ column: SQLColumn, _ dialect: any SQLDialect) -> SQLOperand {
        let equatable = unmanaged(column, dialect)?.equatable
        let name = equatable ?? dialect.quoted(column.name)
        if column.ignoresCase {
            let isText = column.form == .text
            let text = isText ? name : "CAST(\(name) AS TEXT)"
            return SQLOperand(
                text: column.foldedName.map(dialect.quoted) ?? dialect.caseFolded(text),
                form: .text, isOptional: column.isOptional,
                source: (isText ? name : text, .text),
                isFoldedForeign: isText && !entity.isManaged)
        }
        let comparable = dialect.comparable(name, as: column.form, isForeign: !entity.isManaged)
        guard let comparable else {
            return SQLOperand(text: name, form: column.form, isOptional: column.isOptional)
        }
        return SQLOperand(
            text: comparable.text, form: comparable.form, isOptional: column.isOptional,
            source: (name, column.form), equatable: equatable)
    }

    /// Returns the expressions for a column of an unmanaged table; nil if statements use the column
    /// itself.
    private func unmanaged(
        _ column: SQLColumn, _ dialect: any SQLDialect
    ) -> SQLUnmanagedColumn? {
        entity.isManaged
            ? nil : dialect.unmanaged(dialect.quoted(column.name), as: column.form)
    }

    /// Returns an element of a `SELECT` list for a column.
    func selected(_ column: SQLColumn, _ dialect: any SQLDialect) -> String {
        unmanaged(column, dialect)?.selected ?? dialect.quoted(column.name)
    }

    /// Returns the expressions by which the columns of the id are tested for equality.
    func equatableKey(_ dialect: any SQLDialect) -> [String] {
        key.map { unmanaged(columns[$0], dialect)?.equatable ?? dialect.quoted(columns[$0].name) }
    }

    /// Returns the expressions by which the columns of the id are sorted.
    func sortedKey(_ dialect: any SQLDialect) -> [String] {
        key.map { position in
            let column = columns[position]
            guard unmanaged(column, dialect) != nil else { return dialect.quoted(column.name) }
            return operand(column, dialect).text
        }
    }

    /// Returns the operands of a path: one, or one for each component of a composite reference.
    /// Returns nil if the database cannot read the value exactly.
    package func operands(_ path: FieldPath, _ dialect: any SQLDialect) -> [SQLOperand]? {
        guard entity.layout.fields.indices.contains(path.field) else { return nil }
        let field = entity.layout.fields[path.field]
        let columns = self.columns[columns(ofField: path.field)]
        // The runtime folds the strings of an unmanaged table, where no column holds them folded.
        if !dialect.foldsText, columns.contains(where: { $0.ignoresCase && $0.foldedName == nil }) {
            return nil
        }
        let operands = columns.map { operand($0, dialect) }
        if path.names.isEmpty { return operands }
        if columns.contains(where: { $0.form == .encrypted }) { return nil }
        if case .composite(let layout) = field.type {
            guard path.names.count == 1,
                let component = layout.fields.firstIndex(where: { $0.name == path.names[0] })
            else { return nil }
            return [operands[component]]
        }
        guard let type = Self.type(at: path.names[...], in: field.type),
            let text = dialect.jsonValue(of: operands[0].presence, at: path.names, as: type)
        else { return nil }
        return [SQLOperand(text: text, form: SQLColumnForm(type), isOptional: true)]
    }

    /// Returns the type at a path inside an embedded value.
    ///
    /// Returns nil if a stored value may lack the member and yet be read as something other than
    /// null, because the member was renamed or has a default.
    private static func type(at names: ArraySlice<String>, in type: StoredType) -> StoredType? {
        guard let name = names.first else { return type }
        switch type {
        case .object(let layout):
            guard let field = layout.fields.first(where: { $0.name == name }),
                field.renamedFrom.isEmpty, field.defaultValue ?? .null == .null
            else { return nil }
            return self.type(at: names.dropFirst(), in: field.type)
        case .map(let element, _):
            return self.type(at: names.dropFirst(), in: element)
        default:
            return nil
        }
    }
}
