/// The storage of the pages of an index. Pages are identified by number.
///
/// ``IndexPages`` is the only caller. An implementation may buffer changes, as the document store
/// does to write them together with the directory.
protocol IndexPageStorage {
    /// Returns the keys of a page, in order.
    ///
    /// - Throws: `brokenPage` if the page is missing or damaged.
    func page(_ number: Int) throws -> [IndexKey]
    /// Returns the keys of a page that lie in a range, in order.
    ///
    /// - Throws: `brokenPage` if the page is missing or damaged.
    func keys(_ number: Int, in range: IndexKeyRange) throws -> ArraySlice<IndexKey>
    /// Changes an existing page in place.
    mutating func update<R>(_ number: Int, _ body: (inout [IndexKey]) throws -> R) throws -> R
    /// Writes a page, or removes it if the keys are nil.
    mutating func set(_ number: Int, _ keys: [IndexKey]?) throws
}

extension IndexPageStorage {
    /// By default, reads the whole page.
    func keys(_ number: Int, in range: IndexKeyRange) throws -> ArraySlice<IndexKey> {
        let page = try page(number)
        return page[page.bounds(of: range)]
    }
}

/// Pages in memory. Copies share the pages that neither has changed.
struct MemoryIndexPages: IndexPageStorage, Sendable {
    /// The pages by number; nil for a free number.
    private var pages: [[IndexKey]?] = []

    /// Creates a storage without pages.
    init() {}

    func page(_ number: Int) throws -> [IndexKey] {
        guard pages.indices.contains(number), let page = pages[number] else {
            throw IndexFailure.brokenPage(number)
        }
        return page
    }

    mutating func update<R>(_ number: Int, _ body: (inout [IndexKey]) throws -> R) throws -> R {
        var page = try page(number)
        // Releases the stored reference, so that the body changes the page without copying it.
        pages[number] = nil
        defer { pages[number] = page }
        return try body(&page)
    }

    mutating func set(_ number: Int, _ keys: [IndexKey]?) throws {
        while number >= pages.count { pages.append(nil) }
        pages[number] = keys
    }
}
