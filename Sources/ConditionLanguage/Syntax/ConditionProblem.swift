/// A problem with a condition, located in the condition's text.
package struct ConditionProblem: Error {
    /// One sentence without a final full stop.
    package var message: String
    /// The range in the condition's text, in Unicode scalars.
    package var range: Range<Int>
    /// A suggestion for a fix, if there is one.
    package var help: String?
    /// Related ranges in the condition's text.
    package var notes: [(message: String, range: Range<Int>)] = []

    /// Creates a problem.
    package init(_ message: String, _ range: Range<Int>, _ help: String? = nil) {
        self.message = message
        self.range = range
        self.help = help
    }
}
