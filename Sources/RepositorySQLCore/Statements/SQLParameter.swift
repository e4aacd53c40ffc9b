package import RepositoryRuntime

/// A value bound to a statement, and the representation in which it is bound.
package struct SQLParameter: Sendable, Hashable {
    /// The value; never null.
    package var value: StoredValue
    /// The representation of the column with which the value is compared.
    package var form: SQLColumnForm

    /// Creates a parameter.
    package init(_ value: StoredValue, _ form: SQLColumnForm) {
        self.value = value
        self.form = form
    }
}

/// A statement and its parameters. Statements of the same shape have the same text, so that a store
/// prepares them once.
package struct SQLQuery: Sendable, Hashable {
    /// The text, with a placeholder for each parameter.
    package var text: String
    /// The parameters, in the order of their numbers.
    package var parameters: [SQLParameter]
}

extension SQLParameter: CustomStringConvertible, CustomReflectable {
    /// The column type that the value is bound as.
    package var description: String { "? as \(form)" }
    /// A mirror without the value.
    package var customMirror: Mirror { Mirror(hiding: self) }
}
