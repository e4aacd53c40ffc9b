internal import Foundation
internal import RepositoryRuntime
internal import RepositorySQLCore

/// The SQL dialect of SQLite: column types, literals, table options and expressions.
struct SQLiteDialect: SQLDialect {
    /// Returns the column type for a representation. It must be one that STRICT tables allow.
    ///
    /// - `INTEGER`: booleans (0 or 1), integers, decimals of fixed scale (scaled), and dates in
    ///   microseconds or seconds since 1970.
    /// - `REAL`: floating-point numbers, and dates and decimals that are declared to be stored as
    ///   such.
    /// - `TEXT`: text, UUIDs, decimals without a fixed scale, dates as text, and JSON.
    /// - `BLOB`: data, encrypted values, and UUIDs that are declared to be stored as bytes.
    func typeName(_ form: SQLColumnForm) -> String {
        switch form {
        case .boolean, .integer, .scaledDecimal, .date, .dateSeconds, .dateIn(.milliseconds),
            .dateIn(.microseconds):
            "INTEGER"
        case .float, .double, .dateReal, .decimalReal, .dateIn(.secondsSince2001),
            .dateIn(.julianDay):
            "REAL"
        case .dateIn, .decimal, .text, .uuid, .json, .dateText, .decimalText, .uuidLowercase,
            .anyText, .numeric,
            .day:
            "TEXT"
        case .data, .uuidBlob, .encrypted: "BLOB"
        }
    }

    /// Returns a numbered parameter, `?n`, which may occur several times in a statement.
    func placeholder(_ number: Int) -> String { "?\(number)" }

    /// Returns a literal for a value; `nil` if the representation cannot store it exactly.
    func literal(_ value: StoredValue, as form: SQLColumnForm) -> String? {
        switch (form, value) {
        case (_, .null): "NULL"
        case (.boolean, .bool(let value)): value ? "1" : "0"
        case (.integer, .integer(let value)): "\(value)"
        case (.scaledDecimal(let scale), _):
            value.exactDecimal.flatMap { StoredDecimal.scaledInteger($0, scale: scale) }
                .map { "\($0)" }
        case (.decimal, _): value.exactDecimal.map { textLiteral($0.description) }
        case (.float, _), (.double, _):
            value.floating.flatMap { $0.isFinite ? "\($0)" : nil }
        case (.date, .date(let value)): "\(StoredDate.microseconds(value))"
        case (.uuid, .uuid(let value)): textLiteral(value.uuidString)
        // SQLite ends a statement at U+0000.
        case (.text, .text(let value)): value.utf8.contains(0) ? nil : textLiteral(value)
        case (.data, .data(let value)):
            "X'\(value.map { String(format: "%02X", $0) }.joined())'"
        case (.json, _): value.jsonText.map(textLiteral)
        default: form.isOther ? otherLiteral(value, as: form) : nil
        }
    }

    /// Returns a literal for a value in a non-default representation.
    private func otherLiteral(_ value: StoredValue, as form: SQLColumnForm) -> String? {
        let exact = value.exactDecimal.map { StoredValue.decimal($0) } ?? value
        return switch SQLiteOtherForms.stored(exact, form) {
        case .text(let text)?: literal(.text(text), as: .text)
        case .integer(let number)?: literal(.integer(number), as: .integer(bits: 64))
        case .double(let number)?: literal(.double(number), as: .double)
        case .data(let bytes)?: literal(.data(bytes), as: .data)
        default: nil
        }
    }

    /// Returns an expression for the length of a column; `nil` if SQLite counts differently from
    /// the schema language.
    func length(of column: String, as form: SQLColumnForm) -> String? {
        // SQLite counts text in Unicode scalars and blobs in bytes. A list is stored as JSON text,
        // whose length is not the number of elements.
        form == .text || form == .data ? "length(\(column))" : nil
    }

    /// Returns a call of the store's SQL function; see ``SQLiteFunctions``.
    func caseFolded(_ text: String) -> String { "\(SQLiteFunctions.caseFolded)(\(text))" }

    /// Returns whether a column orders as its values do.
    func orders(_ form: SQLColumnForm) -> Bool {
        switch form {
        // As text, '10' orders before '9'.
        case .decimal, .decimalText, .json, .encrypted: false
        // The same date can be written in several ways.
        case .dateText: false
        default: true
        }
    }

    /// Returns the CHECK of a column's type, beyond what STRICT enforces: a boolean is an INTEGER
    /// that is 0 or 1.
    func typeCheck(of column: String, as form: SQLColumnForm) -> String? {
        form == .boolean ? "\(column) IN (0, 1)" : nil
    }

    /// Returns the table options that follow the column list of CREATE TABLE, with a leading space.
    func tableOptions(_ table: SQLTable?) -> String {
        // A STRICT table enforces the declared types against every program. A single integer id is
        // the table's rowid. With any other id, a WITHOUT ROWID table is stored in id order: a read
        // is one search, and a page is read sequentially.
        guard let table else { return " STRICT" }
        if table.key.count == 1, case .integer = table.columns[table.key[0]].form {
            return " STRICT"
        }
        return " STRICT, WITHOUT ROWID"
    }
}

extension StoredValue {
    /// The value as a decimal, if its type represents decimal digits exactly.
    fileprivate var exactDecimal: Decimal? {
        switch self {
        case .decimal(let value): value
        case .integer(let value): Decimal(value)
        default: nil
        }
    }

    /// The value as a double, if it is a number.
    fileprivate var floating: Double? {
        switch self {
        case .double(let value): value
        case .integer(let value): Double(value)
        default: nil
        }
    }
}
