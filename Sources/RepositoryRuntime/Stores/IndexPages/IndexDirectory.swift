/// Maps key ranges of an index to pages.
///
/// Invariants: the entries are in strictly ascending order of their lower bounds, the first lower
/// bound is empty, and no page number occurs twice.
///
/// A directory is small compared to the pages, with one entry for up to ``IndexPages/capacity``
/// keys. It is read and written as a whole.
struct IndexDirectory: Sendable, Hashable {
    /// One page.
    struct Entry: Sendable, Hashable {
        /// The inclusive lower bound: no key of this page or of a later page is smaller. That of
        /// the first page is empty.
        var lower: IndexKey
        /// The number that identifies the page in the storage.
        var page: Int
    }

    /// The pages in key order.
    private(set) var entries: [Entry] = []
    /// Free page numbers below ``nextPage``. All numbers from ``nextPage`` on are free as well.
    private(set) var free: [Int] = []
    /// One more than the largest number ever used.
    private(set) var nextPage = 0

    /// Creates the directory of an empty index.
    init() {}

    /// Creates a directory of existing pages; nil if the entries break an invariant.
    init?(entries: [Entry], nextPage: Int) {
        let numbers = Set(entries.map(\.page))
        guard numbers.count == entries.count,
            numbers.allSatisfy({ (0..<nextPage).contains($0) }),
            entries.first?.lower.bytes.isEmpty ?? true,
            zip(entries, entries.dropFirst()).allSatisfy({ $0.lower < $1.lower })
        else { return nil }
        self.entries = entries
        self.nextPage = nextPage
        if numbers.count < nextPage {
            free = (0..<nextPage).filter { !numbers.contains($0) }.reversed()
        }
    }

    /// Returns the position of the page that a key belongs to; 0 if there are no pages. A binary
    /// search.
    func position(of key: IndexKey) -> Int {
        var low = 0
        var high = entries.count
        while low < high {
            let middle = (low + high) / 2
            if key < entries[middle].lower { high = middle } else { low = middle + 1 }
        }
        return max(0, low - 1)
    }

    /// Allocates a number for a new page. Prefers a free number.
    mutating func takePage() -> Int {
        if let page = free.popLast() { return page }
        nextPage += 1
        return nextPage - 1
    }

    /// Replaces pages with others. The numbers of the replaced pages become free, unless the
    /// replacement uses them again.
    ///
    /// Resets the lower bound of the first page to the empty key, in case the first page was
    /// replaced.
    mutating func replace(_ range: Range<Int>, with replacement: [Entry]) {
        let kept = Set(replacement.map(\.page))
        free += entries[range].map(\.page).filter { !kept.contains($0) }
        entries.replaceSubrange(range, with: replacement)
        if !entries.isEmpty { entries[0].lower = IndexKey([]) }
    }
}
