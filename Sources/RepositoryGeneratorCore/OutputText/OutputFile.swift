/// A file of generated text, in memory.
public struct OutputFile: Sendable, Hashable {
    /// The part of a file's name that every generated file has before its ending.
    static let mark = ".generated."

    /// The path below the output folder, with `/`: `people/Author.generated.swift`.
    public var path: String
    /// The whole text.
    public var text: String

    /// Makes a file.
    public init(path: String, text: String) {
        self.path = path
        self.text = text
    }
}
