/// How stored records get a value for a field that is new and required, or that became required:
/// `fill`.
public struct FillDecision: Sendable, Hashable {
    /// Where the value comes from.
    public enum Source: Sendable, Hashable {
        /// A literal of the field's type. The validator has checked it.
        case value(Located<Literal>)
        /// A function of the generated protocol.
        case code
    }

    /// Where the value comes from.
    public var source: Source
    /// `for`: the number of the version that the decision is for; nil for the next version.
    public var version: Located<Int>?
    /// The value of the key.
    public var range: SourceRange

    /// Creates a decision for the next version.
    public init(_ source: Source, at range: SourceRange) {
        self.source = source
        self.range = range
    }
}

/// How stored values of a field or id are converted to its new type: `convert`.
public struct ConvertDecision: Sendable, Hashable {
    /// How a value is converted.
    public enum Method: Sendable, Hashable {
        /// By the same value in the new type. `otherwise` replaces values that do not fit.
        case value(otherwise: Located<Literal>?)
        /// By a function of the generated protocol.
        case code
    }

    /// How a value is converted.
    public var method: Method
    /// `for`: the number of the version that the decision is for; nil for the next version.
    public var version: Located<Int>?
    /// The value of the key.
    public var range: SourceRange

    /// Creates a decision for the next version.
    public init(_ method: Method, at range: SourceRange) {
        self.method = method
        self.range = range
    }
}

/// Stored data that is migrated by a function of the generated protocol: `migrate: code`.
///
/// For an entity, the function gets whole records. In the settings, it gets the tables of several
/// entities.
public struct MigrateDecision: Sendable, Hashable {
    /// The names of the entities in the settings; empty for the entity that has the key.
    public var entities: [Located<String>] = []
    /// `for`: the number of the version that the decision is for; nil for the next version.
    public var version: Located<Int>?
    /// The value of the key.
    public var range: SourceRange

    /// Creates a decision for the next version.
    public init(at range: SourceRange) { self.range = range }
}

/// An enum case that is no longer declared, and the case that replaces it in stored records: an
/// entry of `removed: { lost: withdrawn }`.
public struct RemovedCase: Sendable, Hashable {
    /// The name of the case that is no longer declared.
    public var name: Located<String>
    /// The name of the case that replaces it.
    public var replacement: Located<String>

    /// Creates an entry.
    public init(name: Located<String>, replacement: Located<String>) {
        self.name = name
        self.replacement = replacement
    }
}
