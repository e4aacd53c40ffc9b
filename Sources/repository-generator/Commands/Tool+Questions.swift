internal import RepositoryImport

extension Tool {
    /// Asks about a guess of an import: prints what it rests on and the choices, and reads a line.
    ///
    /// An empty line accepts the guess. Any other line must be the number of a choice; otherwise the
    /// question is repeated.
    ///
    /// - Parameters:
    ///   - question: the question.
    ///   - input: returns the next line; `nil` at the end of the input.
    /// - Returns: the position of the choice; `nil` at the end of the input.
    func ask(_ question: ImportQuestion, _ input: () -> String?) -> Int? {
        say("\(question.column): \(question.evidence)")
        for (index, choice) in question.choices.enumerated() { say("  \(index + 1)  \(choice)") }
        while true {
            say("A number, or Enter for \(question.choices[0]):")
            guard let line = input() else { return nil }
            let answer = line.filter { !$0.isWhitespace }
            if answer.isEmpty { return 0 }
            if let number = Int(answer), question.choices.indices.contains(number - 1) {
                return number - 1
            }
        }
    }
}
