/// A problem in the input, with its location.
public struct Diagnostic: Sendable, Hashable {
    /// The severity of a diagnostic.
    public enum Severity: String, Sendable, Hashable {
        /// Prevents the generation.
        case error
        /// Does not prevent the generation.
        case warning
    }

    /// The rule that the input violates. It is the rule id in SARIF output.
    public enum Rule: String, Sendable, Hashable, CaseIterable {
        /// A file is valid YAML within the limits.
        case yaml
        /// The name of a schema file is valid as the name of an output file.
        case fileName = "file-name"
        /// Keys and values have the types that the schema language requires.
        case shape
        /// The declarations of all files are consistent.
        case meaning
        /// A user's template can be rendered.
        case template
        /// The released versions are unchanged and numbered without gaps.
        case version
        /// The schema is that of its last released version.
        case unreleased
        /// Every change since the last version is automatic or decided.
        case undecided
        /// A declared type is used.
        case unusedType = "unused-type"
        /// An index is not a prefix of another one.
        case coveredIndex = "covered-index"
        /// A declaration that is not deprecated does not use a deprecated one.
        case deprecatedType = "deprecated-type"
        /// An index serves the query of a relation.
        case unindexedRelation = "unindexed-relation"
        /// An index serves a declared query.
        case unindexedQuery = "unindexed-query"
        /// A store checks every reference.
        case uncheckedReferences = "unchecked-references"
        /// Queries can name each relation.
        case hiddenRelation = "hidden-relation"
        /// A default that looks like a number is a number.
        case defaultType = "default-type"
        /// An entity does not have the name of a base type.
        case shadowedEntity = "shadowed-entity"
        /// The names in a template exist.
        case unknownName = "unknown-name"
        /// Stored data fits every change since the last version.
        case dependsOnData = "depends-on-data"
        /// A decision is for a change.
        case unusedDecision = "unused-decision"

        /// The description of the rule, as one sentence.
        public var summary: String {
            switch self {
            case .yaml: "A schema file is YAML, within the limits of size and nesting."
            case .fileName: "The name of a schema file can be that of an output file."
            case .shape: "Keys and values have the types that the schema language requires."
            case .meaning: "The declarations of all schema files are consistent."
            case .template: "A template is well formed, and its name identifies its purpose."
            case .version: "Released versions are unchanged and numbered without gaps."
            case .unreleased: "The schema is that of its last released version."
            case .undecided: "Every change since the last version is automatic or decided."
            case .unusedType: "A declared type is used by a field or included by an entity."
            case .coveredIndex: "No index is a prefix of another one."
            case .deprecatedType: "Only deprecated declarations use deprecated ones."
            case .unindexedRelation: "An index serves the query of each relation."
            case .unindexedQuery: "An index serves each declared query."
            case .uncheckedReferences:
                "References that no store checks are declared with 'onDelete: none'."
            case .hiddenRelation: "No relation has the name of a field."
            case .defaultType: "A string that looks like a number or a Boolean is quoted."
            case .shadowedEntity: "No entity has the name of a base type that a field uses."
            case .unknownName: "A template uses no name that has no value anywhere."
            case .dependsOnData: "Stored data fits every change since the last version."
            case .unusedDecision: "A decision about stored data is for a change."
            }
        }

        /// The severity of a violation.
        public var severity: Severity {
            switch self {
            case .yaml, .fileName, .shape, .meaning, .template, .version, .unreleased, .undecided:
                .error
            case .unusedType, .coveredIndex, .deprecatedType, .unindexedRelation, .unindexedQuery,
                .uncheckedReferences, .hiddenRelation, .defaultType, .shadowedEntity, .unknownName,
                .dependsOnData,
                .unusedDecision:
                .warning
            }
        }
    }

    /// A further location that explains the diagnostic, such as the other of two conflicting
    /// declarations.
    public struct Note: Sendable, Hashable {
        /// A description of the location.
        public var message: String
        /// The location.
        public var range: SourceRange

        /// Creates a note.
        public init(_ message: String, at range: SourceRange) {
            self.message = message
            self.range = range
        }
    }

    /// The severity.
    public var severity: Severity
    /// The problem, as one sentence without a final period.
    public var message: String
    /// The location of the problem.
    public var range: SourceRange
    /// How to fix the problem, if that is known.
    public var help: String?
    /// Further locations.
    public var notes: [Note]
    /// The violated rule.
    public var rule: Rule

    /// Creates a diagnostic, by default an error.
    public init(
        _ message: String, at range: SourceRange, help: String? = nil, notes: [Note] = [],
        severity: Severity = .error, rule: Rule = .meaning
    ) {
        self.message = message
        self.range = range
        self.help = help
        self.notes = notes
        self.severity = severity
        self.rule = rule
    }

    /// Returns a copy of the diagnostic with another rule.
    public func withRule(_ rule: Rule) -> Diagnostic {
        var diagnostic = self
        diagnostic.rule = rule
        return diagnostic
    }
}
