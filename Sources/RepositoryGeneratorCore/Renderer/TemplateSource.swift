internal import Templates

/// A template file of the user, in memory. The executable reads the files.
public struct TemplateSource: Sendable, Hashable {
    /// The file name, for example `Mock.entity.swift.mustache`.
    public var name: String
    /// The content of the file.
    public var bytes: [UInt8]
    /// The path to show in diagnostics.
    public var displayPath: String

    /// Creates a source.
    public init(name: String, bytes: [UInt8], displayPath: String) {
        self.name = name
        self.bytes = bytes
        self.displayPath = displayPath
    }

    /// The suffix of template file names.
    public static let suffix = ".mustache"

    /// The maximum size of a template in bytes. Larger files are rejected.
    public static let mostBytes = 1 << 20

    /// Returns whether a file has the name of a built-in template but a misspelled extension, such
    /// as `entity.mustach`.
    public static func isNearlyBuiltIn(_ name: String) -> Bool {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 2 && parts[1].hasPrefix("m") && parts[1] != "md"
            && BuiltInTemplate.all.contains { $0.name == parts[0] }
    }
}
