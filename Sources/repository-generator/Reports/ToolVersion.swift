/// The version of the tool, which is the version of the package.
enum ToolVersion {
    /// The version of the next release. It equals the first heading of `CHANGELOG.md`.
    static let current = "0.1.0"
}
