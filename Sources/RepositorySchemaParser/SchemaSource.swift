/// The contents of a schema file.
public struct SchemaSource: Sendable, Hashable {
    /// The path relative to the schema folder, with `/`: `people/Author.yaml`.
    public var path: String
    /// The bytes of the file.
    public var bytes: [UInt8]
    /// The path shown in diagnostics: `Schemas/people/Author.yaml`.
    public var displayPath: String

    /// Creates a schema file.
    ///
    /// - Parameters:
    ///   - path: The path relative to the schema folder, with `/`.
    ///   - bytes: The bytes of the file.
    ///   - displayPath: The path shown in diagnostics. The default is `path`.
    public init(path: String, bytes: [UInt8], displayPath: String? = nil) {
        self.path = path
        self.bytes = bytes
        self.displayPath = displayPath ?? path
    }
}
