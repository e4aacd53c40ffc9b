internal import RepositorySchema

/// What is wrong with a condition, at its place in the text.
struct ConditionProblem: Error {
    /// One sentence without a final stop.
    var message: String
    /// Where it is wrong, in Unicode scalars from the beginning of the text.
    var range: Range<Int>
    /// How to mend it, where that is known.
    var help: String?
    /// Other places of the text that belong to it.
    var notes: [(message: String, range: Range<Int>)] = []

    /// Makes a problem.
    init(_ message: String, _ range: Range<Int>, _ help: String? = nil) {
        self.message = message
        self.range = range
        self.help = help
    }

    /// The problem at its place in the file.
    func diagnostic(in text: ConditionText) -> Diagnostic {
        Diagnostic(
            message, at: text.range(of: range), help: help,
            notes: notes.map { Diagnostic.Note($0.message, at: text.range(of: $0.range)) })
    }
}
