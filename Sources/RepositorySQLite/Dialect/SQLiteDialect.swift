internal import Foundation
internal import RepositoryRuntime

/// SQLite's types, constants and options.
struct SQLiteDialect: SQLDialect {
    func typeName(_ form: SQLColumnForm) -> String {
        switch form {
        case .boolean, .integer, .scaledDecimal, .date, .dateSeconds: "INTEGER"
        case .float, .double, .dateReal, .decimalReal: "REAL"
        case .decimal, .text, .uuid, .json, .dateText, .decimalText, .uuidLowercase: "TEXT"
        case .data, .uuidBlob: "BLOB"
        }
    }

    func placeholder(_ number: Int) -> String { "?\(number)" }

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
        // To SQLite a statement ends at U+0000.
        case (.text, .text(let value)): value.utf8.contains(0) ? nil : textLiteral(value)
        case (.data, .data(let value)):
            "X'\(value.map { String(format: "%02X", $0) }.joined())'"
        case (.json, _): value.jsonText.map(textLiteral)
        default: form.isOther ? otherLiteral(value, as: form) : nil
        }
    }

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

    func length(of column: String, as form: SQLColumnForm) -> String? {
        // The length of text is in Unicode scalars, that of a BLOB in bytes. A list is JSON, whose
        // length means nothing.
        form == .text || form == .data ? "length(\(column))" : nil
    }

    func caseFolded(_ text: String) -> String { "\(SQLiteFunctions.caseFolded)(\(text))" }

    func orders(_ form: SQLColumnForm) -> Bool {
        switch form {
        // As text '10' stands before '9'.
        case .decimal, .decimalText, .json: false
        // The same moment has several texts.
        case .dateText: false
        default: true
        }
    }

    func typeCheck(of column: String, as form: SQLColumnForm) -> String? {
        form == .boolean ? "\(column) IN (0, 1)" : nil
    }

    func tableOptions(_ table: SQLTable) -> String {
        // STRICT: a column holds its declared type, whoever writes. A single integer id is SQLite's
        // row number; with any other id the table itself is kept in id order, so that a read is one
        // search and a page is read in one sweep.
        if table.key.count == 1, case .integer = table.columns[table.key[0]].form {
            return " STRICT"
        }
        return " STRICT, WITHOUT ROWID"
    }
}

extension StoredValue {
    /// The value as a decimal, where it is a number that says its digits.
    fileprivate var exactDecimal: Decimal? {
        switch self {
        case .decimal(let value): value
        case .integer(let value): Decimal(value)
        default: nil
        }
    }

    /// The value as a double.
    fileprivate var floating: Double? {
        switch self {
        case .double(let value): value
        case .integer(let value): Double(value)
        default: nil
        }
    }

    /// The value as the JSON text that a field of it is stored as.
    fileprivate var jsonText: String? {
        // A default that JSON cannot hold is none: the generator has refused it.
        try? JSONFieldText.encode(ConstantField(value: self))
    }
}

/// A constant as a field's value, for writing only.
private struct ConstantField: FieldValue {
    let value: StoredValue

    func encode<E: FieldEncoder>(to fields: inout E, at index: Int) throws {
        switch value {
        case .null: try fields.encodeNil(at: index)
        case .bool(let value): try fields.encodeBool(value, at: index)
        case .integer(let value): try fields.encodeInteger(value, at: index)
        case .double(let value): try fields.encodeDouble(value, at: index)
        case .decimal(let value): try fields.encodeDecimal(value, at: index)
        case .date(let value): try fields.encodeDate(value, at: index)
        case .uuid(let value): try fields.encodeUUID(value, at: index)
        case .text(let value): try fields.encodeString(value, at: index)
        case .data(let value): try fields.encodeData(value, at: index)
        case .list(let values):
            try fields.encodeList(values.map(ConstantField.init), at: index)
        case .object(let values):
            try fields.encodeMap(values.mapValues(ConstantField.init), at: index)
        }
    }

    static func decode<D: FieldDecoder>(from fields: inout D, at index: Int) throws -> Self {
        throw CRUDRepositoryError.unsupported("reading a constant", by: "SQLite")
    }
}
