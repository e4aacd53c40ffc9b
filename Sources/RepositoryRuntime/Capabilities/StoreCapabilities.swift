/// An operation or property that a store may support. The set is open: stores can define more.
public struct StoreCapability: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    /// The name of the capability, as the documentation prints it.
    public let rawValue: String

    /// Creates a capability with a name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The name of the capability.
    public var description: String { rawValue }
}

extension StoreCapability {
    /// `create`, `read`, `update`, `delete`, `exists` and `save` of single records.
    public static let records = Self(rawValue: "records")
    /// `count`, `ids`, `fetch()` and `stream()` of all records.
    public static let listing = Self(rawValue: "listing")
    /// `createAll`, `saveAll` and `deleteAll`.
    public static let batches = Self(rawValue: "batches")
    /// Batches are atomic, even if the process crashes.
    public static let atomicBatches = Self(rawValue: "atomicBatches")
    /// Finders over declared indexes.
    public static let finders = Self(rawValue: "finders")
    /// Optimistic locking.
    public static let versions = Self(rawValue: "versions")
    /// Unique indexes are enforced.
    public static let uniqueIndexes = Self(rawValue: "uniqueIndexes")
    /// The records of one call can exchange the values of unique indexes, which are checked at its
    /// end. Unmanaged and distributed tables of a database throw `unsupported` for an exchange in a
    /// cycle.
    public static let uniqueExchange = Self(rawValue: "uniqueExchange")
    /// References and their `onDelete` rules are enforced.
    public static let references = Self(rawValue: "references")
    /// `reset()`.
    public static let reset = Self(rawValue: "reset")
    /// A new store at the same location contains the stored records.
    public static let persistent = Self(rawValue: "persistent")
    /// Dates have microsecond precision. A store without this capability rounds to whole seconds,
    /// because of its format.
    public static let fractionalSeconds = Self(rawValue: "fractionalSeconds")
    /// Strings can contain every Unicode scalar except U+0000. A store without this capability
    /// rejects the scalars that its format cannot represent.
    public static let controlCharacters = Self(rawValue: "controlCharacters")
    /// Acknowledged writes survive a crash of the process and a power failure.
    public static let durable = Self(rawValue: "durable")
    /// Several processes can use the store at the same time.
    public static let multipleProcesses = Self(rawValue: "multipleProcesses")

    /// A write does not wait for the end of an open transaction, unless both write the same records.
    /// In other stores, all writes take turns.
    public static let concurrentWriters = Self(rawValue: "concurrentWriters")
    /// Typed queries, pages, aggregates and projections.
    public static let queries = Self(rawValue: "queries")
    /// The store itself filters, sorts and counts the records of a query, as far as it can.
    public static let selections = Self(rawValue: "selections")
    /// A query on a declared index reads only the records that it returns, not the whole table.
    public static let indexScans = Self(rawValue: "indexScans")
    /// A query on a range of ids, or on the first components of a composite id, reads only the
    /// records that it returns.
    public static let idScans = Self(rawValue: "idScans")
    /// `updateAll`, `deleteAll(where:)` and `replace`. Each is one atomic step.
    public static let updates = Self(rawValue: "updates")
    /// Conflict policies of `save`.
    public static let conflictPolicies = Self(rawValue: "conflictPolicies")
    /// `transaction`, including nested transactions.
    public static let transactions = Self(rawValue: "transactions")
    /// Several queries on one state of the store.
    public static let snapshots = Self(rawValue: "snapshots")
    /// `observe` and `changes`.
    public static let observation = Self(rawValue: "observation")
    /// Observers are notified of writes by other processes.
    public static let externalObservation = Self(rawValue: "externalObservation")
    /// `close()`.
    public static let closing = Self(rawValue: "closing")
    /// `changeState`: a value that changes with every commit by any process, read at little cost. A
    /// cache needs it.
    public static let changeState = Self(rawValue: "changeState")
    /// `backup` and `restore`.
    public static let backups = Self(rawValue: "backups")
    /// `compact`.
    public static let compaction = Self(rawValue: "compaction")
    /// Fields declared `external: true`, whose data is stored apart from the records.
    public static let externalData = Self(rawValue: "externalData")
    /// `sql` and `withConnection`.
    public static let sql = Self(rawValue: "sql")
    /// The records of entities with `distribute` are spread over several machines. Transactions
    /// that use records on several of them are not serializable, and snapshots of them are not one
    /// state.
    public static let distribution = Self(rawValue: "distribution")

    /// All predefined capabilities, in the order of the documentation.
    public static let all: [StoreCapability] = [
        .records, .listing, .batches, .atomicBatches, .finders, .versions, .uniqueIndexes,
        .uniqueExchange, .references, .reset, .persistent, .fractionalSeconds, .controlCharacters,
        .durable,
        .multipleProcesses, .concurrentWriters, .queries, .selections, .indexScans, .idScans,
        .updates,
        .conflictPolicies,
        .transactions, .snapshots, .observation, .externalObservation, .externalData, .closing,
        .changeState,
        .backups, .compaction, .sql, .distribution,
    ]
}

/// How a store supports a capability.
public enum StoreSupport: Sendable, Hashable {
    /// The store implements it.
    case native
    /// The runtime implements it on top of the store. The cost is described in words.
    case emulated(cost: String)
    /// Not supported. The store throws `unsupported`.
    case absent
}

/// The capabilities of a store as data, for the conformance suite, the documentation and callers.
///
/// An operation that the store does not support throws `unsupported`. Check ``has(_:)`` to avoid
/// the error.
public struct StoreCapabilities: Sendable, Hashable {
    /// The supported capabilities. A missing key means absent.
    private var support: [StoreCapability: StoreSupport]

    /// Creates a set of capabilities. Those not listed are absent.
    public init(_ support: [StoreCapability: StoreSupport]) {
        self.support = support
    }

    /// Returns how the store supports a capability.
    public subscript(capability: StoreCapability) -> StoreSupport {
        support[capability] ?? .absent
    }

    /// Returns whether the store supports a capability, natively or emulated.
    public func has(_ capability: StoreCapability) -> Bool {
        self[capability] != .absent
    }
}

extension StoreCapabilities {
    /// Returns these capabilities and another one.
    package func adding(_ capability: StoreCapability) -> Self {
        Self(support.merging([capability: .native]) { $1 })
    }

    /// Returns these capabilities without some of them.
    package func without(_ absent: Set<StoreCapability>) -> Self {
        Self(support.filter { !absent.contains($0.key) })
    }
}
