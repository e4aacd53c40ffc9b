/// The indexes of a table in memory, which its storage keeps together with the records.
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

    func tree(_ position: Int) throws -> OrderedTree<MemoryRecord> {
        try refresh()
        return storage.rows.indexes?[position] ?? OrderedTree()
    }

    func keys(_ position: Int) throws -> any OrderedKeys { try tree(position) }

    func read<R>(_ known: DocumentStamp?, _ body: () throws -> R) throws -> R? { try body() }

    func stage(_ changes: [RowChange]) {}

    func finish() {}

    func abandon() {}
}
