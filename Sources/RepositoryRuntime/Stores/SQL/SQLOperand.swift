/// What a path of a query is in a statement.
struct SQLOperand {
    /// The column, quoted, or the expression that takes a part out of it.
    var text: String
    /// The form of its values; `json` for those that can only be tested for null.
    var form: SQLColumnForm
    /// Whether it may be null.
    var isOptional: Bool
}

extension SQLTable {
    /// The operands of a path: one, or one for each component of a composite reference; nil where the database cannot
    /// read the value exactly.
    func operands(_ path: FieldPath, _ dialect: any SQLDialect) -> [SQLOperand]? {
        guard entity.layout.fields.indices.contains(path.field) else { return nil }
        let field = entity.layout.fields[path.field]
        let columns = self.columns[columns(ofField: path.field)]
        let operands = columns.map {
            SQLOperand(
                text: dialect.quoted($0.name), form: $0.form, isOptional: $0.isOptional)
        }
        if path.names.isEmpty { return operands }
        if case .composite(let layout) = field.type {
            guard path.names.count == 1,
                let component = layout.fields.firstIndex(where: { $0.name == path.names[0] })
            else { return nil }
            return [operands[component]]
        }
        guard let type = Self.type(at: path.names[...], in: field.type),
            let text = dialect.jsonValue(of: operands[0].text, at: path.names, as: type)
        else { return nil }
        return [SQLOperand(text: text, form: SQLColumnForm(type), isOptional: true)]
    }

    /// The type of what stands at a path inside a value; nil where a stored value may lack it and be read as something
    /// else than null.
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
