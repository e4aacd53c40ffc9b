internal import CSQLite
internal import Foundation
internal import RepositoryRuntime

extension SQLiteConnection {
    /// The statement of a query, with its parameters bound; to be reset after use.
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
    /// Binds a parameter, which may be a list.
    static func bind(
        _ parameter: SQLParameter, to statement: SQLiteStatement, at number: Int
    ) throws {
        guard case .list(let values) = parameter.value else {
            return try bind(parameter.value, parameter.form, to: statement, at: number)
        }
        try statement.bind(listText(values, parameter.form), at: number)
    }

    /// Values as a JSON array for `json_each`, each as its column holds it.
    private static func listText(_ values: [StoredValue], _ form: SQLColumnForm) -> String {
        let elements = values.compactMap { element($0, form) }
        return "[\(elements.joined(separator: ","))]"
    }

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
        // No record holds the character at which SQLite would end the text.
        case (.text(let value), _) where value.utf8.contains(0): nil
        // A text is something that JSON can hold.
        case (.text(let value), _): try? JSONFieldText.encode(value)
        default: nil
        }
    }
}
