/// Which page of an index holds which keys.
struct IndexDirectory: Sendable, Hashable {
    /// One page.
    struct Entry: Sendable, Hashable {
        /// No key of the page, or of one behind it, is smaller; that of the first page is empty.
        var lower: IndexKey
        /// The number of the page, by which it is found.
        var page: Int
    }

    /// The pages, in the order of their keys.
    private(set) var entries: [Entry] = []
    /// Numbers of pages that are free; those from ``nextPage`` on are too.
    private(set) var free: [Int] = []
    /// One more than the largest number ever used.
    private(set) var nextPage = 0

    init() {}

    /// The directory of pages that are there; nil for what is none.
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

    /// The position of the page that a key belongs to; 0 where there are no pages.
    func position(of key: IndexKey) -> Int {
        var low = 0
        var high = entries.count
        while low < high {
            let middle = (low + high) / 2
            if key < entries[middle].lower { high = middle } else { low = middle + 1 }
        }
        return max(0, low - 1)
    }

    /// A number for a new page.
    mutating func takePage() -> Int {
        if let page = free.popLast() { return page }
        nextPage += 1
        return nextPage - 1
    }

    /// Puts pages in the place of others, whose numbers become free unless they are used again.
    mutating func replace(_ range: Range<Int>, with replacement: [Entry]) {
        let kept = Set(replacement.map(\.page))
        free += entries[range].map(\.page).filter { !kept.contains($0) }
        entries.replaceSubrange(range, with: replacement)
        if !entries.isEmpty { entries[0].lower = IndexKey([]) }
    }
}
