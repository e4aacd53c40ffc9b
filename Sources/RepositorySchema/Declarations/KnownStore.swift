/// A store that the settings can list under `stores`.
///
/// The generator does not import the stores. A test compares this table with the capabilities that
/// they declare.
public enum KnownStore: String, Sendable, Hashable, CaseIterable {
    /// A SQLite database file.
    case sqlite
    /// A PostgreSQL server. It is planned; the generator assumes the capabilities of an SQL store.
    case postgresql
    /// Files, one per record.
    case files
    /// Foundation's user defaults.
    case userDefaults
    /// Memory.
    case memory
    /// A user-defined type with the four methods create, read, update and delete.
    case fourMethods

    /// A capability that a schema can require of a store.
    public enum Demand: String, Sendable, Hashable, CaseIterable {
        /// `index`
        case finders
        /// `version`
        case versions
        /// `unique`
        case uniqueIndexes
        /// `onDelete` other than `none`
        case references
        /// `queries` and `relations`
        case queries
        /// `external`
        case externalData
    }

    /// Whether the store itself maintains unique indexes, and therefore has to evaluate the
    /// condition of a partial index.
    public var decidesIndexConditions: Bool { self == .sqlite }

    /// The capabilities that the store lacks.
    public var lacks: Set<Demand> {
        switch self {
        case .sqlite, .postgresql, .files, .memory: []
        case .userDefaults: [.externalData]
        case .fourMethods: Set(Demand.allCases)
        }
    }
}
