internal import Foundation
internal import RepositoryRuntime

/// Columns that do not compare as their values do.
extension SQLiteDialect {
    func comparable(
        _ column: String, as form: SQLColumnForm, isForeign: Bool
    ) -> (text: String, form: SQLColumnForm)? {
        switch form {
        // The column may be declared to ignore case.
        case .text where isForeign: ("\(column) COLLATE BINARY", .text)
        case .dateText: (microseconds(ofText: column), .date)
        case .dateReal: ("CAST(round(\(column) * 1000000.0) AS INTEGER)", .date)
        case .decimalReal(let scale?):
            (
                "CAST(round(\(column) * \(SQLReal.power(scale))) AS INTEGER)",
                .scaledDecimal(scale: scale)
            )
        default: nil
        }
    }

    /// SQLite's functions keep milliseconds and round to them; so they are given whole seconds, and the fraction is read
    /// beside.
    private func microseconds(ofText column: String) -> String {
        let zone = "ltrim(substr(\(column), 20), '.0123456789')"
        let fraction = "round(CAST('0.' || substr(\(column), 21, 6) AS REAL) * 1000000)"
        return "(strftime('%s', substr(\(column), 1, 19) || \(zone)) * 1000000"
            + " + CASE substr(\(column), 20, 1) WHEN '.' THEN CAST(\(fraction) AS INTEGER) ELSE 0 END)"
    }

    func bounds(
        of form: SQLColumnForm, around value: StoredValue
    ) -> (lower: SQLParameter, upper: SQLParameter)? {
        switch (form, value) {
        case (.text, .text): return nil
        case (.dateText, .date(let date)):
            let bounds = SQLiteDateText.bounds(microseconds: StoredDate.microseconds(date))
            return (
                SQLParameter(.text(bounds.lower), .text), SQLParameter(.text(bounds.upper), .text)
            )
        case (.dateReal, .date(let date)):
            return around(date.timeIntervalSince1970, 1)
        case (.decimalReal(let scale?), .decimal(let decimal)):
            return SQLReal.nearest(decimal).map { around($0, 1 / SQLReal.power(scale)) }
        default: return nil
        }
    }

    /// Wide enough for every error of arithmetic.
    private func around(
        _ number: Double, _ distance: Double
    ) -> (lower: SQLParameter, upper: SQLParameter) {
        let distance = max(distance, abs(number) * 1e-12)
        return (
            SQLParameter(.double(number - distance), .double),
            SQLParameter(.double(number + distance), .double)
        )
    }
}
