#if PostgreSQL
    internal import RepositoryRuntime
    internal import RepositorySQLCore

    /// Statements without parameters, which `COPY` does not take.
    extension PostgreSQLTable {
        /// Returns the statement that sends the rest of a stream.
        ///
        /// - Returns: `nil` if a value has no literal.
        func copy<E: Entity>(_ rest: StreamRest<E>) throws -> String? {
            switch rest {
            case .all(let id): try following(id).map(Self.copy)
            case .selection(let selection): text(of: selection).map(Self.copy)
            }
        }

        private static func copy(_ query: String) -> String {
            "COPY (\(query)) TO STDOUT (FORMAT binary)"
        }

        /// Returns the query for all records after an id.
        private func following<ID: EntityIdentifier>(_ id: ID) throws -> String? {
            let values = try StoredValueEncoder.components(of: id)
            guard values.count == table.key.count else { return nil }
            var literals: [String] = []
            for (value, column) in zip(values, table.key) {
                guard
                    let literal = PostgreSQLDialect().literal(
                        of: SQLParameter(value, table.columns[column].form))
                else { return nil }
                literals.append(literal)
            }
            return texts.following(literals)
        }

        /// Returns the query for the records of a selection.
        private func text(of selection: StoreSelection) -> String? {
            var selection = selection
            selection.maximum = nil
            var dialect = PostgreSQLDialect()
            guard let query = SQLSelectionWriter.select(selection, table, dialect) else {
                return nil
            }
            for parameter in query.parameters {
                guard let literal = dialect.literal(of: parameter) else { return nil }
                dialect.literals.append(literal)
            }
            // The same statement, written with the literals.
            return SQLSelectionWriter.select(selection, table, dialect)?.text
        }
    }

    extension PostgreSQLDialect {
        /// Returns a literal of the type that the parameter would have, which means the same
        /// whatever the settings of the session are; `nil` if the value has none.
        func literal(of parameter: SQLParameter) -> String? {
            guard case .list(let values) = parameter.value else {
                return scalar(parameter.value, parameter.form)
            }
            var elements: [String] = []
            for value in values {
                guard let element = scalar(value, parameter.form) else { return nil }
                elements.append(element)
            }
            guard let type = typeOfLiterals(parameter.form) else { return nil }
            return "ARRAY[\(elements.joined(separator: ", "))]::\(type)[]"
        }

        private func scalar(_ value: StoredValue, _ form: SQLColumnForm) -> String? {
            switch (form, value) {
            case (_, .null): return nil
            case (.text, .text(let text)), (.anyText, .text(let text)):
                if text.utf8.contains(0) { return nil }
                let escaped = textLiteral(text)
                guard text.utf8.contains(UInt8(ascii: "\\")) else { return "\(escaped)::text" }
                // In this syntax a backslash always begins an escape.
                let parts = escaped.split(separator: "\\", omittingEmptySubsequences: false)
                return "E\(parts.joined(separator: "\\\\"))::text"
            case (.data, .data(let data)):
                let digits = data.map { byte in
                    let text = String(byte, radix: 16)
                    return text.count == 1 ? "0\(text)" : text
                }
                return "E'\\\\x\(digits.joined())'::bytea"
            case (.boolean, _), (.integer, _), (.float, _), (.double, _), (.numeric, _), (.date, _),
                (.day, _), (.uuid, _):
                return literal(value, as: form)
            default: return nil
            }
        }

        /// Returns the type of the literals for a representation, as ``scalar(_:_:)`` writes them.
        private func typeOfLiterals(_ form: SQLColumnForm) -> String? {
            switch form {
            case .boolean: "boolean"
            case .integer: "bigint"
            case .float, .double: "double precision"
            case .numeric: "numeric"
            case .date: "timestamptz"
            case .day: "date"
            case .uuid: "uuid"
            case .text, .anyText: "text"
            default: nil
            }
        }
    }
#endif
