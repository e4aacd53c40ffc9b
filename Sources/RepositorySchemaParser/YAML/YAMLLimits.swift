/// Bounds on one YAML file, so that hostile input costs a bounded time and memory.
enum YAMLLimits {
    /// The largest file, in bytes.
    static let bytes = 16 << 20
    /// How deep lists and mappings may stand in one another.
    static let depth = 64
    /// The most nodes in a file, those that aliases stand for included.
    static let nodes = 1_000_000
    /// The most nodes that the aliases of a file may stand for.
    static let aliasNodes = 100_000
    /// The most `%TAG` lines: libyaml compares each with all before it.
    static let tagDirectives = 64
    /// The most errors that are collected before reading stops.
    static let diagnostics = 1_000
}
