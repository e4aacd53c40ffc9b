/// A statement of a SQL store, written as a string literal whose interpolated values become parameters.
///
/// ```swift
/// let rows = try await store.sql(
///     "SELECT title, pages FROM \(table: Book.self) WHERE pages > \(minimum) ORDER BY title")
/// ```
/// A value is never part of the text, whatever it holds. It is bound in the form in which its type is stored: dates as
/// SQLite's microseconds, ids and enums as their raw values, lists, maps and embedded values as JSON text. A decimal is
/// bound as its text; compared with a column that has a scale, it is written with that column:
/// `price > \(limit, as: \Book.Fields.price)`.
public struct SQL: Sendable, Hashable, ExpressibleByStringInterpolation {
    /// A piece of the statement.
    enum Piece: Sendable, Hashable {
        case text(String)
        case identifier(String)
        case value(StoredValue, SQLColumnForm)
        case invalid(String)
    }

    let pieces: [Piece]

    /// Makes a statement of a text, as it is.
    public init(stringLiteral value: String) { pieces = [.text(value)] }

    /// Makes a statement of a text and what is interpolated into it.
    public init(stringInterpolation: StringInterpolation) { pieces = stringInterpolation.pieces }
}

extension SQL {
    /// Gathers the pieces of a statement.
    public struct StringInterpolation: StringInterpolationProtocol, Sendable {
        var pieces: [Piece] = []

        /// Starts with nothing.
        public init(literalCapacity: Int, interpolationCount: Int) {}

        /// Adds text as it stands in the program.
        public mutating func appendLiteral(_ literal: String) { pieces.append(.text(literal)) }

        /// Adds a parameter: a base type, an id, an enum, an optional, a list, a value of the user's own.
        public mutating func appendInterpolation<V: FieldValue>(_ value: V) {
            do {
                let stored = try StoredValue(encoding: value).roundedDates
                appendInterpolation(stored)
                if case .list = stored { bindJSON(value) }
                if case .object = stored { bindJSON(value) }
            } catch {
                pieces.append(.invalid("A value cannot be bound: \(error)."))
            }
        }

        /// Adds a parameter, null where there is no value.
        public mutating func appendInterpolation<V: FieldValue>(_ value: V?) {
            if let value {
                appendInterpolation(value)
            } else {
                appendInterpolation(StoredValue.null)
            }
        }

        /// Adds a parameter in the form of the column of a field, which matters for decimals with a scale.
        public mutating func appendInterpolation<E: Entity, V: FieldValue>(
            _ value: V, as field: KeyPath<E.Fields, QueryField<E, V>>
        ) {
            do {
                let stored = try StoredValue(encoding: value).roundedDates
                let path = E.Fields()[keyPath: field].queryPath
                let table = E.Mapper.table
                let form = SQLColumnForm(
                    table.layout.fields[path.field].type,
                    storedAs: table.fields[path.field].storedAs)
                guard path.names.isEmpty, form != .json else {
                    return appendInterpolation(value)
                }
                pieces.append(.value(stored, form))
            } catch {
                pieces.append(.invalid("A value cannot be bound: \(error)."))
            }
        }

        /// Adds a parameter.
        public mutating func appendInterpolation(_ value: StoredValue) {
            let form: SQLColumnForm =
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
            pieces.append(.value(value, form))
        }

        /// Adds the name of an entity's table.
        public mutating func appendInterpolation<E: Entity>(table: E.Type) {
            pieces.append(.identifier(E.Mapper.table.name))
        }

        /// Adds the name of a field's column.
        public mutating func appendInterpolation<E: Entity, V: FieldValue>(
            column: KeyPath<E.Fields, QueryField<E, V>>
        ) {
            let table = E.Mapper.table
            let path = E.Fields()[keyPath: column].queryPath
            if case .composite = table.layout.fields[path.field].type {
                pieces.append(.invalid("A reference to a composite id has several columns."))
            } else if path.names.isEmpty {
                pieces.append(.identifier(table.fields[path.field].column))
            } else {
                pieces.append(.invalid("A part of an embedded value has no column."))
            }
        }

        /// Adds a name of a table, a column or anything else, quoted: whatever it holds, it is a name.
        public mutating func appendInterpolation(identifier: String) {
            pieces.append(.identifier(identifier))
        }

        /// Adds text that becomes part of the statement as it is. Dangerous: text from outside can make the statement do
        /// anything at all.
        public mutating func appendInterpolation(raw: String) { pieces.append(.text(raw)) }

        /// Replaces the last parameter by its JSON text.
        private mutating func bindJSON<V: FieldValue>(_ value: V) {
            pieces.removeLast()
            do {
                pieces.append(.value(.text(try JSONFieldText.encode(value)), .text))
            } catch {
                pieces.append(.invalid("A value cannot be bound: \(error)."))
            }
        }
    }
}

extension SQL {
    /// The statement in a dialect, and its parameters; a null one is `.null`.
    ///
    /// - Throws: `invalidItem` for a value that has no stored form.
    package func query(_ dialect: any SQLDialect) throws -> SQLQuery {
        var query = SQLQuery(text: "", parameters: [])
        for piece in pieces {
            switch piece {
            case .text(let text): query.text += text
            case .identifier(let name): query.text += dialect.quoted(name)
            case .value(let value, let form):
                query.parameters.append(SQLParameter(value, form))
                query.text += dialect.placeholder(query.parameters.count)
            case .invalid(let reason): throw CRUDRepositoryError(.invalidItem, reason)
            }
        }
        return query
    }
}

extension SQL.Piece: CustomStringConvertible, CustomReflectable {
    /// The text as it stands, a name in quotes, a value as `?`.
    var description: String {
        switch self {
        case .text(let text): text
        case .identifier(let name): "\"\(name)\""
        case .value: "?"
        case .invalid: "<invalid>"
        }
    }

    var customMirror: Mirror { Mirror(hiding: self) }
}

extension SQL: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The statement with each parameter as `?`.
    public var description: String { pieces.map(\.description).joined() }
    /// The statement without its values.
    public var debugDescription: String { description }
    /// A mirror without the values.
    public var customMirror: Mirror { Mirror(hiding: self) }
}
