/// A value that a statement is given, and the form of the column that it is compared with.
package struct SQLParameter: Sendable, Hashable {
    /// The value; not null.
    package var value: StoredValue
    /// The form in which it is bound.
    package var form: SQLColumnForm

    /// Makes a parameter.
    package init(_ value: StoredValue, _ form: SQLColumnForm) {
        self.value = value
        self.form = form
    }
}

/// A statement and the values that it is given. Statements of one shape have one text, so that a store prepares them
/// once.
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
