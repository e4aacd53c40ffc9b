internal import Foundation
internal import RepositoryRuntime
internal import RepositorySQLCore

/// Converts values to and from the non-default column representations, which a schema selects with
/// `storedAs`:
/// - a date as text, as whole seconds, as a floating-point number of seconds, or in a ``DateForm``,
/// - a UUID as 16 bytes or as lower-case text,
/// - a decimal as text or as a floating-point number.
enum SQLiteOtherForms {
    /// Returns the value to store in a column of a non-default representation.
    ///
    /// - Returns: a text, an integer, a double or data; `nil` if the representation cannot store
    ///   the value exactly, and for the default representations.
    static func stored(_ value: StoredValue, _ form: SQLColumnForm) -> StoredValue? {
        switch (value, form) {
        case (.date(let date), _):
            guard StoredDate.canStore(date) else { return nil }
            return stored(StoredDate.microseconds(date), form)
        case (.uuid(let uuid), .uuidBlob):
            return .data(withUnsafeBytes(of: uuid.uuid) { Data($0) })
        case (.uuid(let uuid), .uuidLowercase): return .text(uuid.uuidString.lowercased())
        case (.decimal(let decimal), .decimalText):
            return decimal.isFinite ? .text(decimal.description) : nil
        case (.decimal(let decimal), .decimalReal(let scale)):
            return SQLReal.number(decimal, scale: scale).map { .double($0) }
        default: return nil
        }
    }

    /// Returns the stored value of a date in microseconds since 1970.
    private static func stored(_ microseconds: Int64, _ form: SQLColumnForm) -> StoredValue? {
        switch form {
        case .dateText: SQLiteDateText.text(microseconds: microseconds).map { .text($0) }
        case .dateSeconds:
            microseconds.isMultiple(of: 1_000_000) ? .integer(microseconds / 1_000_000) : nil
        case .dateReal: SQLReal.seconds(microseconds: microseconds).map { .double($0) }
        case .dateIn(let form): SQLiteDateForm.stored(microseconds, form)
        default: nil
        }
    }

    /// Returns the reason why a representation cannot store a value, as the predicate of an error
    /// message.
    static func reason(_ form: SQLColumnForm) -> String {
        switch form {
        case .dateText: "is a date outside of the years that text holds"
        case .dateSeconds: "has a fraction of a second, which its column does not hold"
        case .dateReal: "is a date whose microseconds a number does not hold"
        case .dateIn(let form): "is a date that the form '\(form.rawValue)' does not hold"
        case .decimalReal: "has more digits than a floating-point number holds"
        default: "is nothing that its column holds"
        }
    }

    /// Returns the value that a column of a non-default representation contains.
    ///
    /// - Parameters:
    ///   - stored: the value as SQLite returns it.
    ///   - form: the representation of the column.
    /// - Returns: the value; `nil` if `stored` does not represent one.
    static func value(_ stored: StoredValue, _ form: SQLColumnForm) -> StoredValue? {
        switch (form, stored) {
        case (.dateIn(let form), _):
            return SQLiteDateForm.microseconds(stored, form)
                .map { .date(StoredDate.date(microseconds: $0)) }
        case (.dateText, .text(var text)):
            return text.withUTF8 { SQLiteDateText.microseconds($0) }
                .map { .date(StoredDate.date(microseconds: $0)) }
        case (.dateSeconds, .integer(let seconds)):
            let (microseconds, isTooLarge) = seconds.multipliedReportingOverflow(by: 1_000_000)
            return isTooLarge ? nil : .date(StoredDate.date(microseconds: microseconds))
        case (.dateReal, .double(let seconds)):
            return SQLReal.microseconds(seconds: seconds)
                .map { .date(StoredDate.date(microseconds: $0)) }
        // A column whose affinity is not REAL may convert whole numbers to integers.
        case (.dateReal, .integer(let seconds)): return value(.double(Double(seconds)), form)
        case (.decimalReal, .integer(let number)): return value(.double(Double(number)), form)
        case (.decimalReal(let scale), .double(let number)):
            return SQLReal.decimal(number, scale: scale).map { .decimal($0) }
        case (.decimalText, .text(let text)):
            return StoredDecimal.value(ofText: text).map { .decimal($0) }
        case (.uuidLowercase, .text(var text)):
            return text.withUTF8 { SQLiteUUIDText.uuid($0, in: .lower) }.map { .uuid($0) }
        case (.uuidBlob, .data(let bytes)):
            guard bytes.count == 16 else { return nil }
            return bytes.withUnsafeBytes { .uuid(UUID(uuid: $0.loadUnaligned(as: uuid_t.self))) }
        default: return nil
        }
    }
}
