internal import Templates

/// A template file of the user's, in memory.
public struct TemplateSource: Sendable, Hashable {
    /// The file's name: `Mock.entity.swift.mustache`.
    public var name: String
    /// What it holds.
    public var bytes: [UInt8]
    /// The path that diagnostics show.
    public var displayPath: String

    /// Makes a source.
    public init(name: String, bytes: [UInt8], displayPath: String) {
        self.name = name
        self.bytes = bytes
        self.displayPath = displayPath
    }

    /// How the names of templates end.
    public static let suffix = ".mustache"

    /// No template comes near this many bytes.
    public static let mostBytes = 1 << 20

    /// Whether a file is called like a built-in template and ends otherwise: `entity.mustach`.
    public static func isNearlyBuiltIn(_ name: String) -> Bool {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 2 && parts[1].hasPrefix("m") && parts[1] != "md"
            && BuiltInTemplate.all.contains { $0.name == parts[0] }
    }
}
