package import RepositoryRuntime

extension SQL {
    /// Returns the statement in a dialect, with its parameters. A null parameter is `.null`.
    ///
    /// - Throws: `invalidItem` for a value that has no stored representation.
    package func query(_ dialect: any SQLDialect) throws -> SQLQuery {
        var query = SQLQuery(text: "", parameters: [])
        func append(_ value: StoredValue, _ form: SQLColumnForm) {
            query.parameters.append(SQLParameter(value, form))
            query.text += dialect.placeholder(query.parameters.count)
        }
        for piece in pieces {
            switch piece {
            case .text(let text): query.text += text
            case .identifier(let name): query.text += dialect.quoted(name)
            case .value(let value): append(value, SQLColumnForm(of: value))
            case .fieldValue(let value, let type, let form):
                append(value, SQLColumnForm(type, storedAs: form))
            case .invalid(let reason): throw CRUDRepositoryError(.invalidItem, reason)
            }
        }
        return query
    }
}

extension SQLColumnForm {
    /// Creates the representation of a value whose field is not known.
    fileprivate init(of value: StoredValue) {
        self =
            switch value {
            case .null, .text: .text
            case .bool: .boolean
            case .integer: .integer(bits: 64)
            case .double: .double
            case .decimal: .decimal
            case .date: .date
            case .uuid: .uuid
            case .data: .data
            case .list, .object: .json
            }
    }
}

extension SQLTable {
    /// Returns the positions of the columns of the table among those of a result of the caller's own
    /// statement.
    ///
    /// - Throws: `invalidRecord` if a column is missing.
    package func places(in columns: [String]) throws -> [Int] {
        try self.columns.map { column in
            guard
                let place = columns.firstIndex(where: {
                    String.isSameIdentifier($0, column.name)
                })
            else {
                throw CRUDRepositoryError(
                    .invalidRecord, "The result has no column '\(column.name)'.", table: name,
                    field: fieldName(column.field))
            }
            return place
        }
    }
}
