/// A statement for a SQL store, written as a string literal. Interpolated values become parameters.
///
/// ```swift
/// let rows = try await store.sql(
///     "SELECT title, pages FROM \(table: Book.self) WHERE pages > \(minimum) ORDER BY title")
/// ```
///
/// A value never becomes part of the statement's text. It is bound in the representation in which
/// its type is stored: dates as SQLite's microseconds, ids and enums as their raw values, lists,
/// maps and embedded values as JSON text. A decimal is bound as text. To compare it with a column
/// that has a scale, name the column: `price > \(limit, as: \Book.Fields.price)`.
public struct SQL: Sendable, Hashable, ExpressibleByStringInterpolation {
    /// A part of the statement.
    package enum Piece: Sendable, Hashable {
        case text(String)
        case identifier(String)
        /// A value in the representation of its kind.
        case value(StoredValue)
        /// A value in the representation of a field.
        case fieldValue(StoredValue, StoredType, storedAs: StoredForm?)
        case invalid(String)
    }

    /// The parts of the statement, in order.
    package let pieces: [Piece]

    /// Creates a statement from a literal string without parameters.
    public init(stringLiteral value: String) { pieces = [.text(value)] }

    /// Creates a statement from a literal string with interpolations.
    public init(stringInterpolation: StringInterpolation) { pieces = stringInterpolation.pieces }
}

extension SQL {
    /// Collects the parts of a statement.
    public struct StringInterpolation: StringInterpolationProtocol, Sendable {
        var pieces: [Piece] = []

        /// Creates an empty interpolation.
        public init(literalCapacity: Int, interpolationCount: Int) {}

        /// Appends literal text.
        public mutating func appendLiteral(_ literal: String) { pieces.append(.text(literal)) }

        /// Appends a parameter. The value can be of a base type, an id, an enum, an optional, a
        /// list or a custom value type.
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

        /// Appends a parameter, which is null if the value is nil.
        public mutating func appendInterpolation<V: FieldValue>(_ value: V?) {
            if let value {
                appendInterpolation(value)
            } else {
                appendInterpolation(StoredValue.null)
            }
        }

        /// Appends a parameter in the representation of a field's column. Required for decimals
        /// with a scale.
        public mutating func appendInterpolation<E: Entity, V: FieldValue>(
            _ value: V, as field: KeyPath<E.Fields, QueryField<E, V>>
        ) {
            do {
                let stored = try StoredValue(encoding: value).roundedDates
                let path = E.Fields()[keyPath: field].queryPath
                let table = E.Mapper.table
                let type = table.layout.fields[path.field].type
                if table.fields[path.field].isEncrypted {
                    pieces.append(.invalid("An encrypted field has no value in SQL."))
                    return
                }
                guard path.names.isEmpty, case .single = type.structure else {
                    return appendInterpolation(value)
                }
                pieces.append(
                    .fieldValue(stored, type, storedAs: table.fields[path.field].storedAs))
            } catch {
                pieces.append(.invalid("A value cannot be bound: \(error)."))
            }
        }

        /// Appends a stored value as a parameter.
        public mutating func appendInterpolation(_ value: StoredValue) {
            pieces.append(.value(value))
        }

        /// Appends the quoted name of an entity's table.
        public mutating func appendInterpolation<E: Entity>(table: E.Type) {
            pieces.append(.identifier(E.Mapper.table.name))
        }

        /// Appends the quoted name of a field's column.
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

        /// Appends an identifier, such as the name of a table or column. It is quoted, so any
        /// string is safe.
        public mutating func appendInterpolation(identifier: String) {
            pieces.append(.identifier(identifier))
        }

        /// Appends text to the statement without quoting.
        ///
        /// - Warning: Text from an untrusted source can change the meaning of the statement (SQL
        ///   injection).
        public mutating func appendInterpolation(raw: String) { pieces.append(.text(raw)) }

        /// Replaces the last parameter with its JSON text.
        private mutating func bindJSON<V: FieldValue>(_ value: V) {
            pieces.removeLast()
            do {
                pieces.append(.value(.text(try JSONFieldText.encode(value))))
            } catch {
                pieces.append(.invalid("A value cannot be bound: \(error)."))
            }
        }
    }
}

extension SQL.Piece: CustomStringConvertible, CustomReflectable {
    /// The part as text: identifiers in quotes, values as `?`.
    package var description: String {
        switch self {
        case .text(let text): text
        case .identifier(let name): "\"\(name)\""
        case .value, .fieldValue: "?"
        case .invalid: "<invalid>"
        }
    }

    package var customMirror: Mirror { Mirror(hiding: self) }
}

extension SQL: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The statement with `?` for each parameter.
    public var description: String { pieces.map(\.description).joined() }
    /// The statement without its values.
    public var debugDescription: String { description }
    /// A mirror without the values.
    public var customMirror: Mirror { Mirror(hiding: self) }
}
