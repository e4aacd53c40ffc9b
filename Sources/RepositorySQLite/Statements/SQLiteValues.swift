internal import CSQLite
internal import Foundation
internal import RepositoryRuntime

/// Binding of values without their Swift type.
enum SQLiteValues {
    /// The values of a field's columns.
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

    /// Binds a value, not null, as a column of a form holds it; to a parameter counted from 1.
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
            // A number with more digits than are stored equals nothing, and null is equal to
            // nothing here.
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

    /// Binds a text, an integer, a number or bytes as they are; to a parameter counted from 1.
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
