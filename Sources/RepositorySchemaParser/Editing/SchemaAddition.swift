package import RepositorySchema

/// Lines that are added to a block of a schema document, such as a field below `fields`.
package struct SchemaAddition: Sendable {
    /// A position inside the document, such as that of the name of its type.
    package let place: SourcePosition
    /// The key of the block: `fields`. A document without the key gets it.
    package let key: String
    /// Whether the block is a list. Its lines then begin with `- `.
    package let isList: Bool
    /// The lines without indentation. An entry and a comment are one line each.
    package let lines: [String]

    /// Creates an addition.
    package init(place: SourcePosition, key: String, isList: Bool, lines: [String]) {
        self.place = place
        self.key = key
        self.isList = isList
        self.lines = lines
    }

    /// The addition as a document of its own, with the key.
    package var text: String {
        ([key + ":"] + lines.map { "  " + $0 }).joined(separator: "\n") + "\n"
    }
}

/// The text of a schema file with additions.
package struct EditedSchema: Sendable {
    /// Where the lines of an addition are.
    package struct Place: Sendable {
        /// The number of the first line, from 1. The line of an added key is not counted.
        package let line: Int
        /// The number of spaces before each line.
        package let indentation: Int
    }

    /// The text. Without the added lines, it is the old text.
    package let bytes: [UInt8]
    /// The place of each addition, in their order.
    package let places: [Place]
}

/// The reason why lines cannot be added to a schema file without changing its text.
package struct SchemaEditProblem: Error {
    /// The problem, at its location.
    package let diagnostic: Diagnostic

    /// Creates a problem.
    init(_ message: String, at range: SourceRange, help: String? = nil) {
        diagnostic = Diagnostic(message, at: range, help: help, rule: .yaml)
    }
}
