/// A store that the settings can name under `stores`.
///
/// The generator knows no store: this is a table in words, and a test compares it with what the stores declare.
public enum KnownStore: String, Sendable, Hashable, CaseIterable {
    /// A SQLite file.
    case sqlite
    /// A PostgreSQL server: planned, and taken to do what any SQL store does.
    case postgresql
    /// A file for each record.
    case files
    /// Foundation's user defaults.
    case userDefaults
    /// Memory.
    case memory
    /// A type of the caller's own with four methods: create, read, update, delete.
    case fourMethods

    /// Something that a schema asks of a store.
    public enum Demand: String, Sendable, Hashable, CaseIterable {
        /// `index`
        case finders
        /// `version`
        case versions
        /// `unique`
        case uniqueIndexes
        /// `onDelete` but `none`
        case references
        /// `queries` and `relations`
        case queries
    }

    /// Whether it keeps unique indexes by itself, so that it must be able to tell which records one with a condition covers.
    public var decidesIndexConditions: Bool { self == .sqlite }

    /// What the store cannot do.
    public var lacks: Set<Demand> {
        switch self {
        case .sqlite, .postgresql, .files, .userDefaults, .memory: []
        case .fourMethods: [.finders, .versions, .uniqueIndexes, .references, .queries]
        }
    }
}
