/// A guess that a person is asked about.
package struct ImportQuestion {
    /// The column with its table: `"notes"."created"`.
    package let column: String
    /// What the guess rests on.
    package let evidence: String
    /// The types that describe the values. The first one is the guess.
    package let choices: [String]

    /// Answers a question with the position of a choice; `nil` if there are no more answers.
    package typealias Answer = (ImportQuestion) -> Int?
}

extension ReadTable {
    /// Asks about the type of each column that more than one type describes.
    ///
    /// The columns of foreign keys have the types of those to which they refer.
    ///
    /// - Parameters:
    ///   - isAsked: whether a column is asked about.
    ///   - answer: answers a question.
    /// - Returns: whether all questions have been answered.
    mutating func ask(
        about isAsked: (TableShape.Column) -> Bool, _ answer: ImportQuestion.Answer
    ) -> Bool {
        let references = Set(shape.foreignKeys.flatMap(\.columns).map(SQLText.folded))
        for (index, column) in shape.columns.enumerated() {
            let types = guesses[index].alternatives(facts[index], shape.affinity(of: index))
                .filter { $0.isIdentifier || !shape.key.contains(index) }
            guard types.count > 1, isAsked(column),
                !references.contains(SQLText.folded(column.name))
            else { continue }
            let question = ImportQuestion(
                column: SQLText.shown(shape.name) + "." + SQLText.shown(column.name),
                evidence: guesses[index].evidence, choices: types.map { $0.inWords("") })
            guard let choice = answer(question) else { return false }
            guard types.indices.contains(choice), choice > 0 else { continue }
            guesses[index] = TypeGuess(
                type: types[choice], evidence: guesses[index].evidence + "; chosen")
        }
        return true
    }
}
