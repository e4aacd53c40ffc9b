/// A generated file, in memory.
public struct OutputFile: Sendable, Hashable {
    /// The infix that every generated file has before its extension.
    static let mark = ".generated."

    /// The path relative to the output folder, with `/` as separator:
    /// `people/Author.generated.swift`.
    public var path: String
    /// The complete text.
    public var text: String

    /// Creates a file.
    public init(path: String, text: String) {
        self.path = path
        self.text = text
    }
}
