/// The indexes of a table in memory. ``MemoryRows`` updates them together with the records, so
/// nothing is staged.
///
/// This class only adapts them to ``CommittedIndexes``.
///
/// ``CommittedTable`` retains both this object and the storage, so the reference to the storage is
/// unowned. The indexes cannot be damaged, and `read` always succeeds.
final class MemoryCommittedIndexes<E: Entity>: CommittedIndexes {
    private unowned let storage: MemoryStorage<E>
    private let forms: TableIndexForms

    init(_ storage: MemoryStorage<E>, _ forms: TableIndexForms) {
        self.storage = storage
        self.forms = forms
    }

    var areKeptByStorage: Bool { true }

    func refresh() throws {
        if storage.rows.indexes == nil { try rebuild() }
    }

    func rebuild() throws { try storage.makeIndexes(forms) }

    /// Returns the records in the order of an index. Builds the indexes on first use.
    func tree(_ position: Int) throws -> OrderedTree<MemoryRecord> {
        try refresh()
        return storage.rows.indexes?[position] ?? OrderedTree()
    }

    func keys(_ position: Int) throws -> any OrderedKeys {
        if let search = forms.search, position == forms.searchPosition {
            return try storage.searchKeys(search)
        }
        return try tree(position)
    }

    func read<R>(_ known: DocumentStamp?, _ body: () throws -> R) throws -> R? { try body() }

    func stage(_ changes: [RowChange]) {}

    func finish() {}

    func abandon() {}
}
