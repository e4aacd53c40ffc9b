/// The indexes of a table in memory.
///
/// It is derived from the records and can be made anew from them at any time. A value: copies share what neither has
/// changed since.
struct MemoryTableIndexes: Sendable {
    let forms: TableIndexForms
    private var pages: [IndexPages<MemoryIndexPages>]
    /// What a change met, after which the indexes are not used any more.
    private var failure: (any Error)?

    /// Makes the indexes of a table without records.
    init(_ forms: TableIndexForms) {
        self.forms = forms
        pages = forms.forms.map { _ in IndexPages() }
    }

    /// Makes the indexes of records.
    init(_ forms: TableIndexForms, rows: [[StoredValue]]) throws {
        self.forms = forms
        pages = try forms.forms.map { form in
            try IndexPages(MemoryIndexPages(), sorted: rows.compactMap(form.key).sorted())
        }
    }

    /// Takes over what a record is now.
    ///
    /// - Parameters:
    ///   - old: the fields that it had; nil where there was none.
    ///   - new: those that it has; nil where it is gone.
    mutating func change(from old: [StoredValue]?, to new: [StoredValue]?) {
        do {
            for position in pages.indices {
                let change = forms.change(position, from: old, to: new)
                try pages[position].apply(inserting: change.inserting, removing: change.removing)
            }
        } catch {
            failure = error
        }
    }

    /// The keys of an index.
    func keys(_ position: Int) throws -> any OrderedKeys {
        if let failure { throw failure }
        return pages[position]
    }
}
