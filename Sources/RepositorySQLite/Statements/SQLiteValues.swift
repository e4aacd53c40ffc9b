internal import CSQLite
internal import Foundation
internal import RepositoryRuntime
internal import RepositorySQLCore

/// Binds and reads ``StoredValue``s, whose Swift type is known only at run time.
///
/// They occur in queries, in the caller's own statements and in searches for violated references.
/// Records are encoded by ``SQLiteBinder`` and decoded by ``SQLiteRow`` instead, without
/// intermediate values except for non-default representations.
enum SQLiteValues {
    /// Returns the values of a field's columns with the representation of each column.
    ///
    /// A composite value has one column per member; the column of a missing member is null.
    static func components(
        _ value: StoredValue, of field: Int, in table: SQLTable
    ) -> [(value: StoredValue, form: SQLColumnForm)] {
        let columns = table.columns(ofField: field)
        guard columns.count > 1,
            case .composite(let layout) = table.entity.layout.fields[field].type
        else { return columns.map { (value, table.columns[$0].form) } }
        return zip(columns, layout.fields).map { column, component in
            guard case .object(let members) = value else {
                return (.null, table.columns[column].form)
            }
            return (members[component.name] ?? .null, table.columns[column].form)
        }
    }

    /// Binds a value that is not null, in the representation of a column.
    ///
    /// - Parameters:
    ///   - value: the value.
    ///   - form: the representation of the column.
    ///   - statement: the statement.
    ///   - number: the parameter, starting at 1.
    /// - Throws: `invalidItem` if the representation cannot store the value, `unsupported` for
    ///   null, lists and objects.
    static func bind(
        _ value: StoredValue, _ form: SQLColumnForm, to statement: SQLiteStatement, at number: Int
    ) throws {
        if form.isOther {
            guard let stored = SQLiteOtherForms.stored(value, form) else {
                throw CRUDRepositoryError(
                    .invalidItem, "A value \(SQLiteOtherForms.reason(form)).")
            }
            return try bindHeld(stored, to: statement, at: number)
        }
        let place = Int32(truncatingIfNeeded: number)
        switch (value, form) {
        case (.bool(let value), _): try statement.bind(value ? 1 : 0, at: number)
        case (.integer(let value), _): try statement.bind(value, at: number)
        case (.double(let value), _):
            guard sqlite3_bind_double(statement.handle, place, value) == SQLITE_OK else {
                throw statement.failure()
            }
        case (.decimal(let value), .scaledDecimal(let scale)):
            // A number with more digits than the column stores equals no stored value. Null has the
            // same effect, because a comparison with null is never true.
            if let integer = StoredDecimal.scaledInteger(value, scale: scale) {
                try statement.bind(integer, at: number)
            } else {
                sqlite3_bind_null(statement.handle, place)
            }
        case (.decimal(let value), _): try statement.bind(value.description, at: number)
        case (.date(let value), _):
            try statement.bind(StoredDate.microseconds(value), at: number)
        case (.uuid(let value), _): try statement.bind(value.uuidString, at: number)
        case (.text(let value), _): try statement.bind(value, at: number)
        case (.data(let value), _):
            guard SQLiteBinding.data(value, statement.handle, place) == SQLITE_OK else {
                throw statement.failure()
            }
        case (.null, _), (.list, _), (.object, _):
            throw CRUDRepositoryError.unsupported("an index over \(form)", by: "SQLite")
        }
    }

    /// Binds a text, an integer, a double or data without conversion to a parameter, starting at 1.
    static func bindHeld(
        _ value: StoredValue, to statement: SQLiteStatement, at number: Int
    ) throws {
        let form: SQLColumnForm =
            switch value {
            case .integer: .integer(bits: 64)
            case .double: .double
            case .data: .data
            default: .text
            }
        try bind(value, form, to: statement, at: number)
    }
}
