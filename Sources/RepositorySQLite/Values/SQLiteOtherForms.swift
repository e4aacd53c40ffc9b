internal import Foundation
internal import RepositoryRuntime

/// What columns hold whose form is not the usual one of their type.
enum SQLiteOtherForms {
    /// A value as a column of the form holds it: a text, an integer, a number or bytes; nil where it cannot, and for the
    /// usual forms.
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

    private static func stored(_ microseconds: Int64, _ form: SQLColumnForm) -> StoredValue? {
        switch form {
        case .dateText: SQLiteDateText.text(microseconds: microseconds).map { .text($0) }
        case .dateSeconds:
            microseconds.isMultiple(of: 1_000_000) ? .integer(microseconds / 1_000_000) : nil
        case .dateReal: SQLReal.seconds(microseconds: microseconds).map { .double($0) }
        default: nil
        }
    }

    /// Why a form does not hold a value.
    static func reason(_ form: SQLColumnForm) -> String {
        switch form {
        case .dateText: "is a date outside of the years that text holds"
        case .dateSeconds: "has a fraction of a second, which its column does not hold"
        case .dateReal: "is a date whose microseconds a number does not hold"
        case .decimalReal: "has more digits than a floating-point number holds"
        default: "is nothing that its column holds"
        }
    }

    /// The value of what a column of the form holds, as SQLite gives it; nil for what is none.
    static func value(_ stored: StoredValue, _ form: SQLColumnForm) -> StoredValue? {
        switch (form, stored) {
        case (.dateText, .text(var text)):
            return text.withUTF8 { SQLiteDateText.microseconds($0) }
                .map { .date(StoredDate.date(microseconds: $0)) }
        case (.dateSeconds, .integer(let seconds)):
            let (microseconds, isTooLarge) = seconds.multipliedReportingOverflow(by: 1_000_000)
            return isTooLarge ? nil : .date(StoredDate.date(microseconds: microseconds))
        case (.dateReal, .double(let seconds)):
            return SQLReal.microseconds(seconds: seconds)
                .map { .date(StoredDate.date(microseconds: $0)) }
        // A column of another affinity turns whole numbers into integers.
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
