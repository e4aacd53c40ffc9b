/// Limits for one YAML file, which bound the time and memory that malicious input can consume.
enum YAMLLimits {
    /// The maximum size of a file, in bytes.
    static let bytes = 16 << 20
    /// The maximum nesting depth of lists and mappings.
    static let depth = 64
    /// The maximum number of nodes in a file, including those that aliases expand to.
    static let nodes = 1_000_000
    /// The maximum number of nodes that the aliases of a file expand to.
    static let aliasNodes = 100_000
    /// The maximum number of `%TAG` directives before a document. libyaml compares each with all
    /// previous ones.
    static let tagDirectives = 64
    /// The maximum number of errors before reading stops.
    static let diagnostics = 1_000
}
