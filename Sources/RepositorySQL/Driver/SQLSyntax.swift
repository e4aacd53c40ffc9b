/// How the SQL of a database differs from that of others. The defaults are standard SQL.
///
/// ```swift
/// var syntax = SQLSyntax()
/// syntax.dataType = "BYTEA"
/// syntax.dataLiteral = { "'\\x\($0)'" }
/// syntax.placeholders = .numbered("$")
/// ```
///
/// Names are always written in double quotes, and texts in single quotes, with quotes inside
/// doubled. A backslash has no meaning in them.
public struct SQLSyntax: Sendable {
    /// How parameters are written.
    public enum Placeholders: Sendable, Hashable {
        /// A sign and the number of the parameter, from 1: `$1` or `?1`. The same one may occur
        /// several times in a statement.
        case numbered(String)
        /// A sign alone: `?`. A value is bound once for each place where it occurs.
        case positional(String)
    }

    /// Where `ORDER BY` puts null.
    public enum NullOrder: Sendable, Hashable {
        /// `NULLS FIRST` and `NULLS LAST` say where.
        case said
        /// Before all other values, and after them with `DESC`.
        case smallest
    }

    /// The type of columns with integers of 64 bits.
    public var integerType = "BIGINT"
    /// The type of columns with floating-point numbers of 64 bits.
    public var doubleType = "DOUBLE PRECISION"
    /// The type of columns with texts of any length, with the collation that compares them by their
    /// bytes in UTF-8.
    public var textType = "TEXT"
    /// The type of columns with bytes of any length.
    public var dataType = "BLOB"
    /// How parameters are written.
    public var placeholders = Placeholders.numbered("?")
    /// Where `ORDER BY` puts null.
    public var nullOrder = NullOrder.said
    /// What follows the closing parenthesis of `CREATE TABLE`.
    public var tableOptions = ""
    /// The statement that begins a transaction that writes. It should take the lock of the database
    /// if writers exclude each other, or ask for the isolation `SERIALIZABLE`: the store looks for
    /// ids, unique values and references before it writes.
    public var beginWriting = "BEGIN"
    /// Returns the statement that locks a table until the end of a transaction; nil if
    /// ``beginWriting`` lets one transaction at a time write.
    ///
    /// It receives the quoted name, and whether the lock excludes the others: transactions that
    /// write records share it, and one that changes tables has it alone. It follows
    /// ``beginWriting`` and must wait before the transaction reads anything. Without it, a write
    /// that waits for a table which another program migrates could store its record in the old
    /// form.
    public var tableLock: (@Sendable (_ table: String, _ isExclusive: Bool) -> String)?
    /// The statement that begins a transaction that reads one state of the database.
    public var beginReading = "BEGIN"
    /// The most bytes of a name of a table, a column or an index; nil if there is no limit. Schemas
    /// with longer names are refused, because databases cut them.
    public var longestName: Int?
    /// Whether a statement that fails ends its transaction, so that the store must go back to a
    /// savepoint before it can ask why.
    public var failureEndsTransaction = false
    /// Returns a test whether a text contains another one, compared by bytes.
    ///
    /// It receives the two expressions. The default is `position(part IN text) > 0`.
    public var contains: @Sendable (_ text: String, _ part: String) -> String = {
        "position(\($1) IN \($0)) > 0"
    }
    /// Returns an expression for the value at a path in a column with JSON; nil if the database has
    /// none, so that no index can be inside values, and conditions on them are tested by the store.
    ///
    /// It receives the column, the names along the path, and the kind of the value: an integer for
    /// `true` (1), `false` (0) and integers, and a text for a string. The expression is null if there
    /// is no such value.
    public var jsonValue:
        (@Sendable (_ column: String, _ path: [String], _ kind: SQLColumnKind) -> String)?
    /// Returns a literal for bytes. It receives their hexadecimal digits, two for each.
    public var dataLiteral: @Sendable (_ digits: String) -> String = { "X'\($0)'" }

    /// Creates the syntax of standard SQL.
    public init() {}

    /// Returns the type of a kind of columns.
    public func typeName(_ kind: SQLColumnKind) -> String {
        switch kind {
        case .integer: integerType
        case .double: doubleType
        case .text: textType
        case .data: dataType
        }
    }
}
