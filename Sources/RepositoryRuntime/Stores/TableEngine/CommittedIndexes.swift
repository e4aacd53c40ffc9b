/// The indexes of the committed state of a table, independent of where they are stored.
///
/// The implementation is not thread-safe: callers use it from one thread at a time, inside the lock
/// of the store. Except for ``read(_:_:)``, no one else may write while a method runs.
///
/// ``CommittedTable`` owns the indexes. A write calls ``refresh()`` and ``stage(_:)``, then either
/// ``finish()`` or ``abandon()``.
protocol CommittedIndexes: AnyObject {
    /// Whether the storage updates the indexes together with the records. If true, a write does not
    /// stage index changes.
    var areKeptByStorage: Bool { get }
    /// Brings the indexes up to date with the records, including records written by other
    /// processes.
    func refresh() throws
    /// Rebuilds the indexes from the records.
    func rebuild() throws
    /// Returns the keys of an index, as of the last ``refresh()``.
    func keys(_ position: Int) throws -> any OrderedKeys
    /// Runs a body that reads keys while others may write.
    ///
    /// - Parameters:
    ///   - known: the stamp of the table, if the caller itself checks afterwards that the stamp has
    ///     not changed.
    ///   - body: reads the keys.
    /// - Returns: The result of the body, or nil if the indexes do not match the records or someone
    ///   wrote in the meantime.
    func read<R>(_ known: DocumentStamp?, _ body: () throws -> R) throws -> R?
    /// Prepares the index changes of a write that is about to be applied.
    func stage(_ changes: [RowChange]) throws
    /// Confirms the staged changes after the write was applied.
    func finish()
    /// Discards the staged changes. Also called if there was no write.
    func abandon()
}

extension CommittedIndexes {
    /// By default, index changes are staged separately from the records.
    var areKeptByStorage: Bool { false }
}

/// The change of one record in a write.
///
/// The indexes compute the keys to remove from `old` and the keys to insert from `new`. If a record
/// cannot be read, its keys must be found by its id.
struct RowChange {
    /// The id in its text representation.
    var id: String
    /// The field values before the write; nil if there was no record or if it cannot be read.
    var old: [StoredValue]?
    /// The field values after the write; nil if the record was deleted.
    var new: [StoredValue]?
    /// Whether the record existed before the write.
    var wasThere: Bool

    /// Whether the record existed but cannot be read. Its old keys are then unknown.
    var isUnknown: Bool { wasThere && old == nil }
}

extension TableStorage {
    /// Returns the field values of all readable records.
    func rows() throws -> [[StoredValue]] {
        var rows: [[StoredValue]] = []
        try visitRows { rows.append($0) }
        return rows
    }

    /// Calls a body with the field values of each record. Skips records that cannot be read.
    func visitRows(_ body: ([StoredValue]) throws -> Void) throws {
        try visitIDs { id in
            let row: [StoredValue]
            do {
                guard let record = try record(id) else { return }
                row = try StoreTable.row(of: record)
            } catch let error as CRUDRepositoryError where error.code == .invalidRecord {
                return
            }
            try body(row)
        }
    }
}
