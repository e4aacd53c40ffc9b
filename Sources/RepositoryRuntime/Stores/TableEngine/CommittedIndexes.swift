/// The indexes of the committed state of a table, wherever they are kept.
///
/// Used by one thread at a time. But for ``read(_:_:)``, nobody else writes meanwhile.
protocol CommittedIndexes: AnyObject {
    /// Whether the storage changes them when it takes in records, so that nothing is to be staged.
    var areKeptByStorage: Bool { get }
    /// Makes them fit the records; whoever wrote these.
    func refresh() throws
    /// Makes them anew from the records.
    func rebuild() throws
    /// The keys of an index, as of the last refreshing.
    func keys(_ position: Int) throws -> any OrderedKeys
    /// Runs a body that reads keys while others may write; nil where they do not fit the records, or somebody wrote.
    ///
    /// - Parameter known: the stamp of the table, from a caller who looks himself afterwards whether it still is the same.
    func read<R>(_ known: DocumentStamp?, _ body: () throws -> R) throws -> R?
    /// Prepares what a write is about to make of records.
    func stage(_ changes: [RowChange]) throws
    /// The write has happened.
    func finish()
    /// The write has not happened, or there was none.
    func abandon()
}

extension CommittedIndexes {
    /// They are staged apart from the records.
    var areKeptByStorage: Bool { false }
}

/// What a write makes of one record.
struct RowChange {
    /// The id in its text form.
    var id: String
    /// The fields before; nil where there was no record, or where it cannot be read.
    var old: [StoredValue]?
    /// The fields after; nil where there is no record any more.
    var new: [StoredValue]?
    /// Whether there was a record.
    var wasThere: Bool

    /// Whether there was a record that cannot be read.
    var isUnknown: Bool { wasThere && old == nil }
}

extension TableStorage {
    /// The fields of all records that can be read.
    func rows() throws -> [[StoredValue]] {
        var rows: [[StoredValue]] = []
        try visitRows { rows.append($0) }
        return rows
    }

    /// Gives the fields of each record that can be read to a body.
    func visitRows(_ body: ([StoredValue]) throws -> Void) throws {
        for id in try ids() {
            let row: [StoredValue]
            do {
                guard let record = try record(id) else { continue }
                row = try StoreTable.row(of: record)
            } catch let error as CRUDRepositoryError where error.code == .invalidRecord {
                continue
            }
            try body(row)
        }
    }
}
