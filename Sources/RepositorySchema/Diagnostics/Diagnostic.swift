/// One thing that is wrong with the input, at its place.
public struct Diagnostic: Sendable, Hashable {
    /// How grave a diagnostic is.
    public enum Severity: String, Sendable, Hashable {
        /// Nothing is generated.
        case error
        /// The output is still generated.
        case warning
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

    /// Makes a diagnostic; an error unless said otherwise.
    public init(
        _ message: String, at range: SourceRange, help: String? = nil, notes: [Note] = [],
        severity: Severity = .error
    ) {
        self.message = message
        self.range = range
        self.help = help
        self.notes = notes
        self.severity = severity
    }
}
