internal import Foundation
internal import RepositoryRuntime
internal import RepositorySQLCore
internal import StoredSchema

/// The dialect of a database that a ``SQLDriver`` describes.
///
/// What is not known of the database is left to the runtime: values inside JSON, and the order of
/// decimals without a fixed scale.
struct DriverDialect: SQLDialect {
    let syntax: SQLSyntax

    /// The sign around the number of a parameter where parameters have no numbers. No text literal
    /// contains it, and names with it are refused.
    static let mark: Character = "\u{1}"

    func typeName(_ form: SQLColumnForm) -> String { syntax.typeName(form.kind) }

    func placeholder(_ number: Int) -> String {
        switch syntax.placeholders {
        case .numbered(let sign): "\(sign)\(number)"
        case .positional: "\(Self.mark)\(number)\(Self.mark)"
        }
    }

    func literal(_ value: StoredValue, as form: SQLColumnForm) -> String? {
        switch form.plain(value) {
        case .null?: "NULL"
        case .integer(let value)?: "\(value)"
        case .double(let value)?: value.isFinite ? "\(value)" : nil
        case .text(let value)?: value.utf8.contains(where: { $0 < 2 }) ? nil : textLiteral(value)
        case .data(let value)?:
            syntax.dataLiteral(value.map { String(format: "%02X", $0) }.joined())
        case nil: nil
        }
    }

    func length(of column: String, as form: SQLColumnForm) -> String? { nil }

    /// Never used: the store folds texts, and statements read folded columns.
    func caseFolded(_ text: String) -> String { "lower(\(text))" }

    var foldsText: Bool { false }
    var bindsNUL: Bool { false }
    var referencesInTables: Bool { false }

    func orders(_ form: SQLColumnForm) -> Bool {
        switch form {
        case .decimal, .json, .encrypted: false
        default: true
        }
    }

    /// Not all databases have a minimum of bytes.
    func hasMinimum(of form: SQLColumnForm) -> Bool { form.kind != .data }

    func comparable(
        _ column: String, as form: SQLColumnForm, isForeign: Bool
    ) -> (text: String, form: SQLColumnForm)? { nil }

    func bounds(
        of form: SQLColumnForm, around value: StoredValue
    ) -> (lower: SQLParameter, upper: SQLParameter)? { nil }

    func typeCheck(of column: String, as form: SQLColumnForm) -> String? { nil }

    func tableOptions(_ table: SQLTable?) -> String {
        syntax.tableOptions.isEmpty ? "" : " \(syntax.tableOptions)"
    }

    func orderTerm(_ expression: String, isDescending: Bool, isOptional: Bool) -> String {
        let term = expression + (isDescending ? " DESC" : "")
        guard isOptional, syntax.nullOrder == .said else { return term }
        return term + (isDescending ? " NULLS LAST" : " NULLS FIRST")
    }

    func contains(_ expression: String, part: String) -> String {
        syntax.contains(expression, part)
    }

    func bindsLists(of form: SQLColumnForm) -> Bool { false }

    /// Never used: no list is one parameter.
    func isAmong(_ expression: String, list: String) -> String { "\(expression) IN (\(list))" }

    func jsonValue(of column: String, at names: [String], as type: StoredType) -> String? {
        switch type.base?.kind {
        case .bool?, .integer?: syntax.jsonValue?(column, names, .integer)
        case .text?, .uuid?: syntax.jsonValue?(column, names, .text)
        default: nil
        }
    }

    func hasElement(
        _ column: String, of type: StoredType, equalTo parameter: String?
    ) -> String? { nil }

    /// Returns a statement as the driver gets it, and which of the parameters stand in it, in order.
    ///
    /// - Returns: the statement, and the numbers of the parameters from 0; nil if each stands under
    ///   its own number.
    func positional(_ text: String) -> (text: String, order: [Int])? {
        guard case .positional(let sign) = syntax.placeholders else { return nil }
        let parts = text.split(separator: Self.mark, omittingEmptySubsequences: false)
        var result = ""
        var order: [Int] = []
        for (place, part) in parts.enumerated() {
            guard place % 2 == 1, let number = Int(part) else {
                result += part
                continue
            }
            result += sign
            order.append(number - 1)
        }
        return (result, order)
    }
}

extension SQLColumnForm {
    /// The kind of columns for the representation.
    var kind: SQLColumnKind {
        switch self {
        case .boolean, .integer, .scaledDecimal, .date: .integer
        case .float, .double: .double
        case .data, .encrypted: .data
        default: .text
        }
    }

    /// Returns a value as it is stored; nil if the representation does not hold it.
    func plain(_ value: StoredValue) -> SQLValue? {
        switch (self, value) {
        case (_, .null): .null
        case (.boolean, .bool(let value)): .integer(value ? 1 : 0)
        case (.integer, .integer(let value)): .integer(value)
        case (.float, .double(let value)), (.double, .double(let value)): .double(value)
        case (.float, .integer(let value)), (.double, .integer(let value)):
            .double(Double(value))
        case (.scaledDecimal(let scale), .decimal(let value)):
            StoredDecimal.scaledInteger(value, scale: scale).map { .integer($0) }
        case (.scaledDecimal(let scale), .integer(let value)):
            StoredDecimal.scaledInteger(Decimal(value), scale: scale).map { .integer($0) }
        case (.decimal, .decimal(let value)): value.isFinite ? .text(value.description) : nil
        case (.decimal, .integer(let value)): .text("\(value)")
        case (.date, .date(let value)): .integer(StoredDate.microseconds(value))
        case (.uuid, .uuid(let value)): .text(value.uuidString)
        case (.text, .text(let value)): .text(value)
        case (.data, .data(let value)), (.encrypted, .data(let value)): .data(value)
        case (.json, let value): value.jsonText.map { .text($0) }
        default: nil
        }
    }

    /// Returns the value that a stored one stands for.
    ///
    /// - Throws: `RecordDecodingError` if it stands for none.
    func value(_ stored: SQLValue) throws -> StoredValue {
        switch (self, stored) {
        case (_, .null): return .null
        case (.boolean, .integer(0)): return .bool(false)
        case (.boolean, .integer(1)): return .bool(true)
        case (.integer, .integer(let value)): return .integer(value)
        case (.float, .double(let value)), (.double, .double(let value)):
            return .double(value)
        case (.float, .integer(let value)), (.double, .integer(let value)):
            return .double(Double(value))
        case (.scaledDecimal(let scale), .integer(let value)):
            return .decimal(StoredDecimal.decimal(scaledInteger: value, scale: scale))
        case (.decimal, .text(let text)):
            guard let value = StoredDecimal.value(ofText: text) else {
                throw RecordDecodingError("is no decimal")
            }
            return .decimal(value)
        case (.date, .integer(let value)): return .date(StoredDate.date(microseconds: value))
        case (.uuid, .text(let text)):
            guard let value = UUID(uuidString: text) else {
                throw RecordDecodingError("is no UUID")
            }
            return .uuid(value)
        case (.text, .text(let text)), (.json, .text(let text)): return .text(text)
        case (.data, .data(let value)), (.encrypted, .data(let value)): return .data(value)
        default: throw RecordDecodingError("is \(stored) where \(kind.words) is expected")
        }
    }
}

extension SQLColumnKind {
    /// The kind in messages.
    var words: String {
        switch self {
        case .integer: "an integer"
        case .double: "a floating-point number"
        case .text: "a text"
        case .data: "bytes"
        }
    }
}
