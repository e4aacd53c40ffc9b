internal import Foundation
internal import RepositoryRuntime
internal import RepositorySQLCore

/// Expressions for columns whose stored values do not compare as the values they represent.
extension SQLiteDialect {
    /// Returns an expression that compares as the values do; `nil` if the column itself does.
    ///
    /// - Parameters:
    ///   - column: the column.
    ///   - form: the representation of the column.
    ///   - isForeign: whether the table is unmanaged, so that the column may have any collation.
    /// - Returns: the expression and the representation of its value.
    func comparable(
        _ column: String, as form: SQLColumnForm, isForeign: Bool
    ) -> (text: String, form: SQLColumnForm)? {
        switch form {
        // An unmanaged column may be declared with a collation that ignores case.
        case .text where isForeign: ("\(column) COLLATE BINARY", .text)
        // The collation of a column applies to a cast of it, too.
        case .anyText: ("CAST(\(column) AS TEXT) COLLATE BINARY", .text)
        case .dateText: (microseconds(ofText: column), .date)
        case .dateReal: ("CAST(round(\(column) * 1000000.0) AS INTEGER)", .date)
        case .dateIn(.secondsSince2001): (microseconds(sinceReference: column), .date)
        case .dateIn(.julianDay): (microseconds(ofJulianDay: column), .date)
        case .decimalReal(let scale?):
            (
                "CAST(round(\(column) * \(SQLReal.power(scale))) AS INTEGER)",
                .scaledDecimal(scale: scale)
            )
        default: nil
        }
    }

    /// Returns an expression for the microseconds since 1970 of a date as text.
    ///
    /// SQLite's date functions have a precision of milliseconds and round to it. Therefore
    /// `strftime` receives whole seconds, and the fraction is read from the text.
    private func microseconds(ofText column: String) -> String {
        let zone = "ltrim(substr(\(column), 20), '.0123456789')"
        let fraction = "round(CAST('0.' || substr(\(column), 21, 6) AS REAL) * 1000000)"
        return "(strftime('%s', substr(\(column), 1, 19) || \(zone)) * 1000000"
            + " + CASE substr(\(column), 20, 1) WHEN '.' THEN CAST(\(fraction) AS INTEGER) ELSE 0 END)"
    }

    /// Returns an expression for the microseconds since 1970 of seconds since 2001.
    ///
    /// It computes what ``SQLiteDateForm`` does: whole seconds where microseconds are not exact.
    private func microseconds(sinceReference column: String) -> String {
        let limit = "8589934592.0"
        let exact = "CAST(round(\(column) * 1000000.0) AS INTEGER)"
        // Rounded down; not every SQLite has floor().
        let later = "(\(column) + 0.5)"
        let cut = "CAST(\(later) AS INTEGER)"
        let whole = "(\(cut) - (\(cut) > \(later))) * 1000000"
        return "(CASE WHEN abs(\(column)) < \(limit) THEN \(exact) ELSE \(whole) END"
            + " + \(DateForm.reference))"
    }

    /// Returns an expression for the microseconds since 1970 of a Julian day.
    private func microseconds(ofJulianDay column: String) -> String {
        "(CAST(round((\(column) - \(SQLiteDateForm.julianDay1970))"
            + " * \(SQLiteDateForm.millisecondsOfDay)) AS INTEGER) * 1000)"
    }

    /// Returns an inclusive range of stored values that contains every value equal to `value`, so
    /// that an index over the column can be used.
    ///
    /// - Returns: `nil` if there is no such range.
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
        case (.dateIn(.secondsSince2001), .date(let date)):
            return around(date.timeIntervalSinceReferenceDate, 1)
        case (.dateIn(.julianDay), .date(let date)):
            let days = date.timeIntervalSince1970 * 1000 / SQLiteDateForm.millisecondsOfDay
            return around(SQLiteDateForm.julianDay1970 + days, 0.0001)
        case (.decimalReal(let scale?), .decimal(let decimal)):
            return SQLReal.nearest(decimal).map { around($0, 1 / SQLReal.power(scale)) }
        default: return nil
        }
    }

    /// Returns a range around a number that is wider than any rounding error.
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
