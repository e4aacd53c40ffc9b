/// One thing that is wrong with the input, at its place.
public struct Diagnostic: Sendable, Hashable {
    /// How grave a diagnostic is.
    public enum Severity: String, Sendable, Hashable {
        /// Nothing is generated.
        case error
        /// The output is still generated.
        case warning
    }

    /// The rule that the input breaks: what a program that reads diagnostics sorts them by.
    public enum Rule: String, Sendable, Hashable, CaseIterable {
        /// A file is YAML, within bounds.
        case yaml
        /// A file has a name that an output file can have.
        case fileName = "file-name"
        /// Keys and values have the shapes of the language.
        case shape
        /// What is declared makes sense in the whole set.
        case meaning
        /// A template of the user's can be rendered.
        case template
        /// A type is declared to be used.
        case unusedType = "unused-type"
        /// An index finds what no other does.
        case coveredIndex = "covered-index"
        /// What stays needs nothing that is to go.
        case deprecatedType = "deprecated-type"
        /// What a relation loads is found by an index.
        case unindexedRelation = "unindexed-relation"
        /// What a declared query asks for is found by an index.
        case unindexedQuery = "unindexed-query"
        /// A store checks every reference.
        case uncheckedReferences = "unchecked-references"
        /// A default that looks like a number is one.
        case defaultType = "default-type"
        /// A field's type means what a reader takes it for.
        case shadowedEntity = "shadowed-entity"
        /// A template names what there is.
        case unknownName = "unknown-name"

        /// The rule in one sentence.
        public var summary: String {
            switch self {
            case .yaml: "A schema file is YAML, within the bounds of size and nesting."
            case .fileName: "The name of a schema file can be that of an output file."
            case .shape: "Keys and values have the shapes of the schema language."
            case .meaning: "What the schemas declare makes sense together."
            case .template: "A template is well formed, and its name says what it is for."
            case .unusedType: "A declared type is used by a field or included by an entity."
            case .coveredIndex: "No index is the beginning of another one."
            case .deprecatedType: "What is not deprecated needs nothing that is."
            case .unindexedRelation: "What a relation loads is found by an index."
            case .unindexedQuery: "What a declared query asks for is found by an index."
            case .uncheckedReferences:
                "References whose records no store checks are declared 'onDelete: none'."
            case .defaultType: "A text that looks like a number or a truth value is quoted."
            case .shadowedEntity: "No entity has the name of a base type that a field is of."
            case .unknownName: "A template names nothing that is empty everywhere."
            }
        }

        /// How grave it is to break the rule.
        public var severity: Severity {
            switch self {
            case .yaml, .fileName, .shape, .meaning, .template: .error
            case .unusedType, .coveredIndex, .deprecatedType, .unindexedRelation, .unindexedQuery,
                .uncheckedReferences, .defaultType, .shadowedEntity, .unknownName:
                .warning
            }
        }
    }

    /// A place that helps to understand the diagnostic, such as the other of two declarations that clash.
    public struct Note: Sendable, Hashable {
        /// What stands there.
        public var message: String
        /// The place.
        public var range: SourceRange

        /// Makes a note.
        public init(_ message: String, at range: SourceRange) {
            self.message = message
            self.range = range
        }
    }

    /// Error or warning.
    public var severity: Severity
    /// One sentence without a final stop: what is wrong.
    public var message: String
    /// Where it is wrong.
    public var range: SourceRange
    /// How to mend it, where that is known.
    public var help: String?
    /// Other places that belong to it.
    public var notes: [Note]
    /// The rule that is broken.
    public var rule: Rule

    /// Makes a diagnostic; an error unless said otherwise.
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

    /// The diagnostic under a rule.
    public func breaking(_ rule: Rule) -> Diagnostic {
        var diagnostic = self
        diagnostic.rule = rule
        return diagnostic
    }
}
