/// The version of the tool, which is that of the package.
enum ToolVersion {
    /// The version that the next release has; the first heading of `CHANGELOG.md` names the same.
    static let current = "0.1.0"
}
