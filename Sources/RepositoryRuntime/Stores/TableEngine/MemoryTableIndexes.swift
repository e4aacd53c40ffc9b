/// The indexes of a table in memory.
///
/// The indexes are derived from the records and can be rebuilt from them at any time. This is a
/// value type: copies share the pages that neither has changed.
///
/// It is used for the changes of an open write (``TableOverlay``) and to check unique indexes over
/// all records. The committed indexes of the in-memory store are another type, ``MemoryRows``.
struct MemoryTableIndexes: Sendable {
    /// The key layouts of the indexes; an index has the same position here and in `pages`.
    let forms: TableIndexForms
    /// The keys of each index, by position.
    private var pages: [IndexPages<MemoryIndexPages>]
    /// The error of a failed change. After an error, the indexes are out of date and ``keys(_:)``
    /// throws it.
    private var failure: (any Error)?

    /// Creates the indexes of an empty table.
    init(_ forms: TableIndexForms) {
        self.forms = forms
        pages = forms.forms.map { _ in IndexPages() }
    }

    /// Creates the indexes of the given records.
    init(_ forms: TableIndexForms, rows: [[StoredValue]]) throws {
        self.forms = forms
        pages = try forms.forms.map { form in
            try IndexPages(MemoryIndexPages(), sorted: rows.compactMap(form.key).sorted())
        }
    }

    /// Updates the indexes for the change of one record.
    ///
    /// - Parameters:
    ///   - old: the previous field values; nil if there was no record.
    ///   - new: the new field values; nil if the record is deleted.
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

    /// Returns the keys of an index.
    ///
    /// - Throws: The error of an earlier ``change(from:to:)`` that failed.
    func keys(_ position: Int) throws -> any OrderedKeys {
        if let failure { throw failure }
        return pages[position]
    }
}
