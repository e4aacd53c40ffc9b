/// One thing that a store can or cannot do. Open: a store may name more.
public struct StoreCapability: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    /// The capability's name, as documentation prints it.
    public let rawValue: String

    /// Makes a capability of its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The text that stands for it.
    public var description: String { rawValue }
}

extension StoreCapability {
    /// `create read update delete exists save` of single records.
    public static let records = Self(rawValue: "records")
    /// `count`, `ids`, `fetch()` and `stream()` of all records.
    public static let listing = Self(rawValue: "listing")
    /// `createAll saveAll deleteAll`.
    public static let batches = Self(rawValue: "batches")
    /// Batches that happen whole or not at all, also when the program dies.
    public static let atomicBatches = Self(rawValue: "atomicBatches")
    /// Finders over declared indexes.
    public static let finders = Self(rawValue: "finders")
    /// Optimistic locks.
    public static let versions = Self(rawValue: "versions")
    /// Unique indexes are kept.
    public static let uniqueIndexes = Self(rawValue: "uniqueIndexes")
    /// References and their `onDelete` rules are kept.
    public static let references = Self(rawValue: "references")
    /// `reset()`.
    public static let reset = Self(rawValue: "reset")
    /// A store made anew at the same place holds what was stored there.
    public static let persistent = Self(rawValue: "persistent")
    /// Dates to the microsecond; a store without it keeps whole seconds, rounded, because its format does.
    public static let fractionalSeconds = Self(rawValue: "fractionalSeconds")
    /// Text of every Unicode scalar but U+0000; a store without it refuses those that its format cannot hold.
    public static let controlCharacters = Self(rawValue: "controlCharacters")
    /// What was acknowledged survives the end of the process and of the machine's power.
    public static let durable = Self(rawValue: "durable")
    /// Several processes may use one store at once.
    public static let multipleProcesses = Self(rawValue: "multipleProcesses")

    /// Typed queries, pages, aggregates and projections.
    public static let queries = Self(rawValue: "queries")
    /// What a query asks for is found, sorted and counted by the store itself, as far as it can.
    public static let selections = Self(rawValue: "selections")
    /// A query by a declared index reads the records it returns, not the table.
    public static let indexScans = Self(rawValue: "indexScans")
    /// A query by a range of ids, or by the first components of a composite id, reads the records it returns.
    public static let idScans = Self(rawValue: "idScans")
    /// `updateAll`, `deleteAll(where:)` and `replace`, each one atomic step.
    public static let updates = Self(rawValue: "updates")
    /// Conflict policies of `save`.
    public static let conflictPolicies = Self(rawValue: "conflictPolicies")
    /// `transaction`, nested ones too.
    public static let transactions = Self(rawValue: "transactions")
    /// Several queries on one state of the store.
    public static let snapshots = Self(rawValue: "snapshots")
    /// `observe` and `changes`.
    public static let observation = Self(rawValue: "observation")
    /// Observers see what other processes write.
    public static let externalObservation = Self(rawValue: "externalObservation")
    /// `sql` and `withConnection`.
    public static let sql = Self(rawValue: "sql")

    /// All capabilities named here, in the order of documentation.
    public static let all: [StoreCapability] = [
        .records, .listing, .batches, .atomicBatches, .finders, .versions, .uniqueIndexes,
        .references, .reset, .persistent, .fractionalSeconds, .controlCharacters, .durable,
        .multipleProcesses, .queries, .selections, .indexScans, .idScans, .updates,
        .conflictPolicies,
        .transactions, .snapshots, .observation, .externalObservation, .sql,
    ]
}

/// How a store does something.
public enum StoreSupport: Sendable, Hashable {
    /// The store does it itself.
    case native
    /// The runtime does it on top of the store, at this cost in words.
    case emulated(cost: String)
    /// The store refuses it with `unsupported`.
    case absent
}

/// What a store can do, as data: read by the conformance suite, by documentation and by the caller.
public struct StoreCapabilities: Sendable, Hashable {
    private var support: [StoreCapability: StoreSupport]

    /// Declares what a store does; what is not named is absent.
    public init(_ support: [StoreCapability: StoreSupport]) {
        self.support = support
    }

    /// How the store does one thing.
    public subscript(capability: StoreCapability) -> StoreSupport {
        support[capability] ?? .absent
    }

    /// Whether the store does it at all.
    public func has(_ capability: StoreCapability) -> Bool {
        self[capability] != .absent
    }
}
