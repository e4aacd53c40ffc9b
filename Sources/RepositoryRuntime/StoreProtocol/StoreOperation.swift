/// An operation of a store, as wrappers and instruments see it. It contains no values of fields and
/// no ids.
public struct StoreOperation: Sendable, Hashable {
    /// The kind of an operation, named like the method of ``EntityStore``. The set is open.
    public struct Kind: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
        /// The name of the kind.
        public let rawValue: String

        /// Creates a kind from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The name of the kind.
        public var description: String { rawValue }
    }

    /// How the records of an operation are found.
    public enum RecordAccess: Sendable, Hashable {
        /// By their ids.
        case ids
        /// By the declared index with this name.
        case index(String)
        /// All records of the table, of which a condition or a limit keeps only some.
        case fullScan
        /// All records of the table, or a page of them in id order.
        case table
    }

    /// The kind.
    public var kind: Kind
    /// The name of the table; nil if the operation is about the whole store.
    public var table: String?
    /// The name of the entity; nil if the operation is about the whole store.
    public var entity: String?
    /// How the records are found; nil for operations that find none.
    public var access: RecordAccess?

    /// Creates an operation on the whole store.
    public init(_ kind: Kind) {
        self.kind = kind
    }

    /// Creates an operation on the records of a table.
    public init<E: Entity>(_ kind: Kind, _ type: E.Type, _ access: RecordAccess? = nil) {
        self.kind = kind
        let described = E.Mapper.table
        table = described.name
        entity = described.entity
        self.access = access
    }
}

extension StoreOperation.Kind {
    /// ``EntityStore/open(_:)``.
    public static let open = Self(rawValue: "open")
    /// ``EntityStore/migrationPlan(_:)``.
    public static let migrationPlan = Self(rawValue: "migrationPlan")
    /// ``EntityStore/create(_:)``.
    public static let create = Self(rawValue: "create")
    /// ``EntityStore/read(_:id:)``.
    public static let read = Self(rawValue: "read")
    /// ``EntityStore/update(_:)``.
    public static let update = Self(rawValue: "update")
    /// ``EntityStore/save(_:)``.
    public static let save = Self(rawValue: "save")
    /// ``EntityStore/delete(_:id:)``.
    public static let delete = Self(rawValue: "delete")
    /// ``EntityStore/exists(_:id:)``.
    public static let exists = Self(rawValue: "exists")
    /// ``EntityStore/createAll(_:)``.
    public static let createAll = Self(rawValue: "createAll")
    /// ``EntityStore/saveAll(_:)``.
    public static let saveAll = Self(rawValue: "saveAll")
    /// Both methods `deleteAll` of ``EntityStore``.
    public static let deleteAll = Self(rawValue: "deleteAll")
    /// ``EntityStore/count(_:)``.
    public static let count = Self(rawValue: "count")
    /// ``EntityStore/ids(_:)``.
    public static let ids = Self(rawValue: "ids")
    /// ``EntityStore/page(_:after:limit:)``.
    public static let page = Self(rawValue: "page")
    /// ``EntityStore/find(_:_:limit:)``.
    public static let find = Self(rawValue: "find")
    /// ``EntityStore/select(_:_:)``.
    public static let select = Self(rawValue: "select")
    /// ``EntityStore/values(_:_:at:)``.
    public static let values = Self(rawValue: "values")
    /// ``EntityStore/summary(_:_:_:)``.
    public static let summary = Self(rawValue: "summary")
    /// ``EntityStore/explain(_:_:)``.
    public static let explain = Self(rawValue: "explain")
    /// ``EntityStore/lastRememberedID(_:reserving:)``.
    public static let lastRememberedID = Self(rawValue: "lastRememberedID")
    /// ``EntityStore/search(_:_:)``.
    public static let search = Self(rawValue: "search")
    /// ``EntityStore/updateAll(_:_:)``.
    public static let updateAll = Self(rawValue: "updateAll")
    /// ``EntityStore/writeExternalChunk(_:id:content:index:_:)``.
    public static let writeExternalChunk = Self(rawValue: "writeExternalChunk")
    /// ``EntityStore/externalChunk(_:id:content:index:)``.
    public static let externalChunk = Self(rawValue: "externalChunk")
    /// ``EntityStore/begin()``.
    public static let begin = Self(rawValue: "begin")
    /// ``EntityStore/snapshot()``.
    public static let snapshot = Self(rawValue: "snapshot")
    /// ``StoreTransaction/commit()``.
    public static let commit = Self(rawValue: "commit")
    /// ``StoreTransaction/rollBack()``.
    public static let rollBack = Self(rawValue: "rollBack")
    /// ``EntityStore/externalState()``.
    public static let externalState = Self(rawValue: "externalState")
    /// ``EntityStore/rebuildIndexes()``.
    public static let rebuildIndexes = Self(rawValue: "rebuildIndexes")
    /// ``EntityStore/reset(_:)``.
    public static let reset = Self(rawValue: "reset")
    /// ``EntityStore/close()``.
    public static let close = Self(rawValue: "close")
    /// ``EntityStore/backup(to:)``.
    public static let backup = Self(rawValue: "backup")
    /// ``EntityStore/restore(from:)``.
    public static let restore = Self(rawValue: "restore")
    /// ``EntityStore/compact()``.
    public static let compact = Self(rawValue: "compact")
    /// ``EntityStore/check(_:repair:)``.
    public static let check = Self(rawValue: "check")
}

extension StoreOperation.RecordAccess {
    /// The access of a scan of a declared index, or of the ids.
    init<E: Entity>(_ type: E.Type, _ scan: IndexScan) {
        self = scan.index == IndexScan.ids ? .ids : .index(E.Mapper.table.indexes[scan.index].name)
    }

    /// The access of a selection, as the runtime's planner sees it.
    init<E: Entity>(_ type: E.Type, _ selection: StoreSelection, in store: any EntityStore) {
        let query = Query<E>(
            Condition(.all(selection.conditions + selection.narrowing)),
            sortKeys: selection.sortKeys,
            maximum: selection.maximum, skipped: selection.skipped
        ).assumingRelatives(in: store)
        let plan = QueryPlanner(
            query, StoreCapabilities([.finders: .native, .indexScans: .native, .idScans: .native]),
            hashesEncrypted: true
        ).plan()
        switch plan.access {
        case _ where plan.isFullScan: self = query.isBounded ? .fullScan : .table
        case .nothing, .ids: self = .ids
        case .index(let scans): self = scans.first.map { Self(type, $0) } ?? .ids
        case .selection, .scan: self = .table
        }
    }
}

/// What an operation of a store read or wrote.
public struct StoreVolume: Sendable, Hashable {
    /// The number of records that the operation returned, counted or changed.
    public var rows: Int
    /// The number of bytes of external data. The bytes of records are not counted.
    public var bytes: Int

    /// Creates a volume.
    ///
    /// - Parameters:
    ///   - rows: the number of records.
    ///   - bytes: the number of bytes of external data.
    public init(rows: Int = 0, bytes: Int = 0) {
        self.rows = rows
        self.bytes = bytes
    }
}
