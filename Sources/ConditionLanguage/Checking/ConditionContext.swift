/// Where a condition is used, which decides what it can ask for.
package enum ConditionUse: Equatable {
    /// In a query of a program, which gives the values of parameters.
    case query
    /// In a part of a table, with its article: a condition on the fields of the record alone.
    case table(String)
    /// Where somebody writes a condition while a program runs: it has no parameters.
    case input
}

/// The names that a condition can use.
package struct ConditionContext<Scope: ConditionScope> {
    /// The declarations that types are resolved in.
    package let scope: Scope
    /// The fields by name.
    package let fields: [String: Scope.Field]
    /// The names of the fields in order, for suggestions in diagnostics.
    let names: [String]
    /// The owner of the fields, for messages: `the entity 'Book'`.
    let owner: String
    /// The record, whose id has a type of its own. Nil in a mixin.
    package let record: Scope.Record?
    /// Whether all fields are known. If not, an unknown name is not reported, because it may be a
    /// field.
    let isComplete: Bool
    /// What the condition can ask for.
    var use = ConditionUse.query
    /// How many references the condition has followed to these fields.
    var depth = 0

    /// Creates the context of the conditions of a record.
    package init(_ record: Scope.Record, scope: Scope, use: ConditionUse = .query) {
        self.init(
            fields: scope.fields(of: record), owner: scope.title(of: record), record: record,
            isComplete: scope.isComplete(record), scope: scope)
        self.use = use
    }

    /// Creates the context of conditions on fields.
    ///
    /// - Parameters:
    ///   - fields: the fields. If several have a name, it is that of the first.
    ///   - owner: the owner of the fields, for messages.
    ///   - record: the record that they belong to.
    ///   - isComplete: whether there are no other fields.
    ///   - scope: the declarations that types are resolved in.
    package init(
        fields: [Scope.Field], owner: String, record: Scope.Record?, isComplete: Bool, scope: Scope
    ) {
        self.scope = scope
        names = fields.map(scope.name)
        self.fields = Dictionary(zip(names, fields), uniquingKeysWith: { first, _ in first })
        self.owner = owner
        self.record = record
        self.isComplete = isComplete
    }

    /// Returns the same context for a part of a table, which is given with its article.
    package func without(parametersIn owner: String) -> ConditionContext {
        var copy = self
        copy.use = .table(owner)
        return copy
    }

    /// Returns a text that suggests a parameter; the other one where there are no parameters.
    func suggestion(_ help: String, orInput other: String? = nil) -> String? {
        use == .input ? other : help
    }
}

extension ConditionScope {
    /// The record with its article, for messages.
    func title(of record: Record) -> String { "the \(recordNoun) '\(name(of: record))'" }
}
