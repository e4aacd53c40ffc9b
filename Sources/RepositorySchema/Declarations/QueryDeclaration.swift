/// An entry of `queries`: a finder that the schema declares.
public struct QueryDeclaration: Sendable, Hashable {
    /// The method's name.
    public var name: Located<String>
    /// `doc`
    public var doc: String?
    /// `deprecated`: the message; empty if the value is `true`.
    public var deprecated: Located<String>?
    /// `where`; nil for a query over all records.
    public var condition: ConditionText?
    /// `search`: the parameter whose words are searched for, as it is written: `$words`.
    public var search: Located<String>?
    /// `matching`
    public var matching: Located<WordMatching>?
    /// `sort`
    public var sort: [SortKey] = []
    /// `limit`
    public var limit: Int?
    /// `allowFullScan`: whether it may read every record.
    public var allowsFullScan: Located<Bool>?

    /// Creates a query over all records.
    public init(name: Located<String>) {
        self.name = name
    }
}

/// Whether a search requires all words or one of them.
public enum WordMatching: String, Sendable, Hashable, CaseIterable {
    case all
    case any
}

/// An entry of `checks`: a condition that every record has to satisfy.
public struct CheckDeclaration: Sendable, Hashable {
    /// The check's name.
    public var name: Located<String>
    /// `where`
    public var condition: ConditionText
    /// `message`: the message of the error for a record that violates the check.
    public var message: String?
    /// The position at which the entity includes the mixin that declares the check; nil if the
    /// entity itself declares it.
    public var origin: Located<String>?

    /// Creates a check without a message.
    public init(name: Located<String>, condition: ConditionText) {
        self.name = name
        self.condition = condition
    }
}
