internal import RepositorySchema

/// A problem with a condition, located in the condition's text.
struct ConditionProblem: Error {
    /// One sentence without a final full stop.
    var message: String
    /// The range in the condition's text, in Unicode scalars.
    var range: Range<Int>
    /// A suggestion for a fix, if there is one.
    var help: String?
    /// Related ranges in the condition's text.
    var notes: [(message: String, range: Range<Int>)] = []

    /// Creates a problem.
    init(_ message: String, _ range: Range<Int>, _ help: String? = nil) {
        self.message = message
        self.range = range
        self.help = help
    }

    /// Converts the problem to a diagnostic with a range in the schema file.
    func diagnostic(in text: ConditionText) -> Diagnostic {
        Diagnostic(
            message, at: text.range(of: range), help: help,
            notes: notes.map { Diagnostic.Note($0.message, at: text.range(of: $0.range)) })
    }
}
