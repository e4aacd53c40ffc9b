/// A connection inside a transaction. It blocks its thread until the database answers.
package protocol SQLSession: AnyObject {
    associatedtype Dialect: SQLDialect

    /// The kind of store, for messages.
    var storeName: String { get }
    /// The dialect of the database.
    var dialect: Dialect { get }

    /// Runs a statement without rows.
    ///
    /// - Returns: the number of records that it has changed.
    @discardableResult
    func change(_ text: String, _ parameters: [SQLParameter]) throws -> Int
    /// Runs a statement that controls the transaction.
    func runControl(_ text: String) throws
    /// Runs a query and returns the first column of its rows, as text.
    func texts(_ query: String) throws -> [String]
    /// Returns the names of all tables.
    func tableNames() throws -> [String]
}

extension SQLSession {
    /// Runs a statement without rows and parameters.
    ///
    /// - Returns: the number of records that it has changed.
    @discardableResult
    package func change(_ text: String) throws -> Int { try change(text, []) }
}
