/// A schema file in memory.
public struct SchemaSource: Sendable, Hashable {
    /// The path relative to the schema folder, with `/`: `people/Author.yaml`.
    public var path: String
    /// The file's bytes.
    public var bytes: [UInt8]
    /// The path to show in diagnostics: `Schemas/people/Author.yaml`.
    public var displayPath: String

    /// Makes a file.
    ///
    /// - Parameters:
    ///   - path: The path relative to the schema folder, with `/`.
    ///   - bytes: The file's bytes.
    ///   - displayPath: The path to show in diagnostics; `path` when left out.
    public init(path: String, bytes: [UInt8], displayPath: String? = nil) {
        self.path = path
        self.bytes = bytes
        self.displayPath = displayPath ?? path
    }
}
