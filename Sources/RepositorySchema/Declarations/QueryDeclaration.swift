/// An entry of `queries`: a finder that the schema declares.
public struct QueryDeclaration: Sendable, Hashable {
    /// The method's name.
    public var name: Located<String>
    /// `doc`
    public var doc: String?
    /// `deprecated`: the message, empty when it was just `true`.
    public var deprecated: Located<String>?
    /// `where`; without one the query is over all records.
    public var condition: ConditionText?
    /// `sort`
    public var sort: [SortKey] = []
    /// `limit`
    public var limit: Int?
    /// `allowFullScan`: whether it may read every record.
    public var allowsFullScan: Located<Bool>?

    /// Makes a query over all records.
    public init(name: Located<String>) {
        self.name = name
    }
}

/// An entry of `checks`: what each record is like.
public struct CheckDeclaration: Sendable, Hashable {
    /// The check's name.
    public var name: Located<String>
    /// `where`
    public var condition: ConditionText
    /// `message`: what a record that fails is told.
    public var message: String?
    /// The mixin that an entity has the check from, at the place that includes it; nil for one of its own.
    public var origin: Located<String>?

    /// Makes a check without a message.
    public init(name: Located<String>, condition: ConditionText) {
        self.name = name
        self.condition = condition
    }
}
