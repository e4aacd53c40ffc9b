package import RepositoryRuntime

/// The differences between SQL databases in the statements that the runtime generates.
package protocol SQLDialect: Sendable {
    /// Returns the declared type of a column.
    func typeName(_ form: SQLColumnForm) -> String
    /// Returns the placeholder of parameter `number`, counted from 1. The same parameter may occur
    /// several times in a statement.
    func placeholder(_ number: Int) -> String
    /// Returns a literal for a `DEFAULT` or `CHECK`; nil if the dialect has no literal for the
    /// value.
    func literal(_ value: StoredValue, as form: SQLColumnForm) -> String?
    /// Returns an expression for the length of a column as the schema language defines it; nil if
    /// the database counts differently.
    func length(of column: String, as form: SQLColumnForm) -> String?
    /// Returns an expression for a string folded by simple case folding. The result is null if the
    /// string is null.
    func caseFolded(_ text: String) -> String
    /// Returns whether a column with this representation sorts by value.
    func orders(_ form: SQLColumnForm) -> Bool
    /// Returns an expression on a column that compares and sorts as the values do, and its
    /// representation; nil if the column itself does.
    ///
    /// - Parameters:
    ///   - column: the quoted column.
    ///   - form: the representation of the column.
    ///   - isForeign: whether the table is unmanaged. Its columns may have a collation of their
    ///     own.
    func comparable(
        _ column: String, as form: SQLColumnForm, isForeign: Bool
    ) -> (text: String, form: SQLColumnForm)?
    /// Returns the expressions for a column of an unmanaged table, whose type the owner of the
    /// table has chosen; nil if statements use the column itself.
    ///
    /// - Parameters:
    ///   - column: the quoted column.
    ///   - form: the representation of the values.
    func unmanaged(_ column: String, as form: SQLColumnForm) -> SQLUnmanagedColumn?
    /// Returns the clause between the columns and `VALUES` of an `INSERT` into a table, with a
    /// leading space, or an empty string.
    func insertOption(_ table: SQLTable) -> String
    /// Returns inclusive bounds for the column itself if its comparable expression equals a value,
    /// so that an index over the column can be used; nil if there are no such bounds.
    func bounds(
        of form: SQLColumnForm, around value: StoredValue
    ) -> (lower: SQLParameter, upper: SQLParameter)?
    /// Returns a condition on a column of a table of another owner that is true for some of the
    /// strings that equal one of several by simple case folding: for all whose folding is ASCII. An
    /// index of that table may serve it. Returns nil if the database has no such indexes.
    ///
    /// - Parameters:
    ///   - column: the quoted column.
    ///   - places: the placeholders of the strings.
    func equalsIgnoringASCIICase(_ column: String, among places: [String]) -> String?
    /// Returns a condition that all values of the representation satisfy, beyond the declared type;
    /// nil if there is none.
    func typeCheck(of column: String, as form: SQLColumnForm) -> String?
    /// Returns the table options after the closing parenthesis of `CREATE TABLE`, with a leading
    /// space, or an empty string.
    ///
    /// - Parameter table: the table; nil for a table of the store itself, whose rows are long.
    func tableOptions(_ table: SQLTable?) -> String
    /// Returns a name that the database does not cut.
    func fitting(_ name: String) -> String
    /// Returns a term of `ORDER BY`, in which null is the smallest value.
    func orderTerm(_ expression: String, isDescending: Bool, isOptional: Bool) -> String
    /// Returns a test whether a string contains another, compared byte by byte.
    func contains(_ expression: String, part: String) -> String
    /// Returns whether a list of values of this representation can be bound as one parameter,
    /// whatever its length.
    func bindsLists(of form: SQLColumnForm) -> Bool
    /// Returns a test whether a value is in a list that is bound as one parameter.
    func isAmong(_ expression: String, list: String) -> String
    /// Returns an expression for the value at a path in a column with JSON, in the column
    /// representation of its type.
    ///
    /// The expression is null if there is no such value. For a type whose representation is `json`,
    /// only whether it is null matters. Returns nil if the database cannot read the value exactly.
    func jsonValue(of column: String, at names: [String], as type: StoredType) -> String?
    /// Returns a test whether a list in a JSON column contains an element that equals a parameter,
    /// or a null element if there is no parameter; nil if the database cannot compare such elements
    /// exactly.
    func hasElement(
        _ column: String, of type: StoredType, equalTo parameter: String?
    ) -> String?
    /// Whether statements fold strings with ``caseFolded(_:)``. If not, folded strings are
    /// parameters after those of the columns.
    var foldsText: Bool { get }
    /// Whether a parameter can contain U+0000, which no stored string does.
    var bindsNUL: Bool { get }
    /// Whether foreign keys are part of `CREATE TABLE`. If not, they are added when all tables
    /// exist.
    var referencesInTables: Bool { get }
    /// Returns whether the database has a minimum and a maximum of values of this representation.
    func hasMinimum(of form: SQLColumnForm) -> Bool
    /// Returns an expression for the sum of a column, 0 for none; nil if the database does not
    /// compute it exactly.
    func sum(_ expression: String, as form: SQLColumnForm) -> String?
}

/// The expressions for a column of an unmanaged table.
package struct SQLUnmanagedColumn {
    /// An element of a `SELECT` list, whose value has the type of the representation.
    package let selected: String
    /// An expression for tests of equality, which the indexes of the table's owner serve if they
    /// can; nil if it is the column itself.
    package let equatable: String?

    /// Creates the expressions.
    package init(selected: String, equatable: String?) {
        self.selected = selected
        self.equatable = equatable
    }
}

extension SQLDialect {
    /// Returns the statement that gives a column another name.
    package func renameColumn(_ table: String, from: String, to: String) -> String {
        "ALTER TABLE \(quoted(table)) RENAME COLUMN \(quoted(from)) TO \(quoted(to))"
    }

    /// Every name fits.
    package func fitting(_ name: String) -> String { name }
    /// An `INSERT` has no option.
    package func insertOption(_ table: SQLTable) -> String { "" }
    /// Statements use columns of unmanaged tables as they are.
    package func unmanaged(_ column: String, as form: SQLColumnForm) -> SQLUnmanagedColumn? {
        nil
    }
    /// There are no indexes that ignore the case of ASCII letters.
    package func equalsIgnoringASCIICase(_ column: String, among places: [String]) -> String? {
        nil
    }
    /// Statements fold strings.
    package var foldsText: Bool { true }
    /// A parameter can contain every scalar.
    package var bindsNUL: Bool { true }
    /// Foreign keys are part of `CREATE TABLE`.
    package var referencesInTables: Bool { true }
    /// Every representation that sorts by value has a minimum.
    package func hasMinimum(of form: SQLColumnForm) -> Bool { true }
    /// The sums of integers and scaled decimals are exact. Other sums depend on the order of the
    /// additions.
    package func sum(_ expression: String, as form: SQLColumnForm) -> String? {
        switch form {
        case .integer, .scaledDecimal: "coalesce(sum(\(expression)), 0)"
        default: nil
        }
    }
}

extension SQLDialect {
    /// Returns a quoted identifier, with embedded quotes doubled. Any string without U+0000 is a
    /// valid identifier and cannot inject SQL.
    package func quoted(_ identifier: String) -> String {
        "\"\(doubled(identifier, UInt8(ascii: "\"")))\""
    }

    /// Returns a string literal, with embedded quotes doubled.
    package func textLiteral(_ text: String) -> String {
        "'\(doubled(text, UInt8(ascii: "'")))'"
    }

    /// Returns quoted identifiers, separated by commas.
    package func list(_ identifiers: [String]) -> String {
        identifiers.map(quoted).joined(separator: ", ")
    }

    /// Doubles the quotes in a string. It works on bytes, because a quote followed by a combining
    /// mark is a different `Character` in Swift but still a quote for a database.
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
