/// What differs between SQL databases in the statements that the runtime writes.
package protocol SQLDialect: Sendable {
    /// The declared type of a column.
    func typeName(_ form: SQLColumnForm) -> String
    /// The place of parameter `number`, counted from 1; a number may stand more than once in a
    /// statement.
    func placeholder(_ number: Int) -> String
    /// A constant as it stands in a `DEFAULT` or `CHECK`; nil where the dialect has no such
    /// constant.
    func literal(_ value: StoredValue, as form: SQLColumnForm) -> String?
    /// The length of a column as the schema language counts it; nil where the database counts
    /// otherwise.
    func length(of column: String, as form: SQLColumnForm) -> String?
    /// A text folded by simple case folding; null where it is null.
    func caseFolded(_ text: String) -> String
    /// Whether a column of this form orders by value.
    func orders(_ form: SQLColumnForm) -> Bool
    /// What of a column compares and orders as the values of its form do, and the form of that, where it is not the
    /// column itself.
    ///
    /// - Parameter isForeign: whether the table is somebody else's, who may have given the column an order of its own.
    func comparable(
        _ column: String, as form: SQLColumnForm, isForeign: Bool
    ) -> (text: String, form: SQLColumnForm)?
    /// What the column itself lies between where what is compared equals a value, both included, so that an index over
    /// the column helps; nil where there is no such bound.
    func bounds(
        of form: SQLColumnForm, around value: StoredValue
    ) -> (lower: SQLParameter, upper: SQLParameter)?
    /// A condition that every value of the form keeps, beyond its declared type.
    func typeCheck(of column: String, as form: SQLColumnForm) -> String?
    /// What follows the closing bracket of `CREATE TABLE`, with a leading blank, or nothing.
    func tableOptions(_ table: SQLTable) -> String
    /// A term of `ORDER BY`, with null as the smallest value.
    func orderTerm(_ expression: String, isDescending: Bool, isOptional: Bool) -> String
    /// Whether text holds another one, by bytes.
    func contains(_ expression: String, part: String) -> String
    /// Whether a list of values of this form can be one parameter, whatever its length.
    func bindsLists(of form: SQLColumnForm) -> Bool
    /// Whether a value is in a list that is one parameter.
    func isAmong(_ expression: String, list: String) -> String
    /// The part of a column of the form `json` that stands at a path, as a value of the column form of its type, null
    /// where there is none; nil where the database cannot read it exactly. Of types whose form is `json` only whether it
    /// is null counts.
    func jsonValue(of column: String, at names: [String], as type: StoredType) -> String?
    /// Whether a list, a column of the form `json`, has an element equal to a parameter, or a null one; nil where the
    /// database cannot compare such elements exactly.
    func hasElement(
        _ column: String, of type: StoredType, equalTo parameter: String?
    ) -> String?
}

extension SQLDialect {
    /// An identifier in quotes, with the quotes inside it doubled: any text without U+0000 is one
    /// name and no SQL.
    package func quoted(_ identifier: String) -> String {
        "\"\(doubled(identifier, UInt8(ascii: "\"")))\""
    }

    /// A text constant.
    package func textLiteral(_ text: String) -> String {
        "'\(doubled(text, UInt8(ascii: "'")))'"
    }

    /// Identifiers in quotes, joined by commas.
    package func list(_ identifiers: [String]) -> String {
        identifiers.map(quoted).joined(separator: ", ")
    }

    /// Works on bytes: to Swift a quote followed by a combining mark is another character than a
    /// quote, to a database it is a quote.
    private func doubled(_ text: String, _ quote: UInt8) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            bytes.append(byte)
            if byte == quote { bytes.append(byte) }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
