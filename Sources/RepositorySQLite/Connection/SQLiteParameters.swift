internal import CSQLite
internal import Foundation
internal import RepositoryRuntime
internal import RepositorySQLCore

extension SQLiteConnection {
    /// Returns the cached statement of a query with its parameters bound. The caller must reset it.
    func statement(_ query: SQLQuery) throws -> SQLiteStatement {
        let statement = try statement(query.text)
        do {
            for (index, parameter) in query.parameters.enumerated() {
                try SQLiteValues.bind(parameter, to: statement, at: index + 1)
            }
        } catch {
            statement.reset()
            throw error
        }
        return statement
    }
}

extension SQLiteValues {
    /// Binds a parameter. A list is bound as the text of a JSON array.
    static func bind(
        _ parameter: SQLParameter, to statement: SQLiteStatement, at number: Int
    ) throws {
        guard case .list(let values) = parameter.value else {
            return try bind(parameter.value, parameter.form, to: statement, at: number)
        }
        try statement.bind(listText(values, parameter.form), at: number)
    }

    /// Returns a JSON array for `json_each` that contains values in the representation of a column.
    ///
    /// Values that no record can contain are left out.
    private static func listText(_ values: [StoredValue], _ form: SQLColumnForm) -> String {
        let elements = values.compactMap { element($0, form) }
        return "[\(elements.joined(separator: ","))]"
    }

    /// Returns the JSON text of one value; `nil` if no stored value can be equal to it.
    private static func element(_ value: StoredValue, _ form: SQLColumnForm) -> String? {
        switch (value, form) {
        case (.bool(let value), _): value ? "1" : "0"
        case (.integer(let value), _): "\(value)"
        case (.decimal(let value), .scaledDecimal(let scale)):
            StoredDecimal.scaledInteger(value, scale: scale).map { "\($0)" }
        case (.date, .dateSeconds):
            if case .integer(let seconds)? = SQLiteOtherForms.stored(value, form) {
                "\(seconds)"
            } else {
                nil
            }
        case (.date(let value), _): "\(StoredDate.microseconds(value))"
        case (.uuid(let value), .uuidLowercase): "\"\(value.uuidString.lowercased())\""
        case (.uuid(let value), _): "\"\(value.uuidString)\""
        // No record contains U+0000, at which SQLite would end the text.
        case (.text(let value), _) where value.utf8.contains(0): nil
        // JSON can represent every text.
        case (.text(let value), _): try? JSONFieldText.encode(value)
        default: nil
        }
    }
}
