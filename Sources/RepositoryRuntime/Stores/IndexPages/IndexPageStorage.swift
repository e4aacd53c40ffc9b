/// Where the pages of an index are.
protocol IndexPageStorage {
    /// The keys of a page, in order.
    ///
    /// - Throws: `brokenPage` where it is not there or not as it was written.
    func page(_ number: Int) throws -> [IndexKey]
    /// The keys of a page that lie in a range, in order; throws the same.
    func keys(_ number: Int, in range: IndexKeyRange) throws -> ArraySlice<IndexKey>
    /// Changes a page that is there.
    mutating func update<R>(_ number: Int, _ body: (inout [IndexKey]) throws -> R) throws -> R
    /// Writes a page, or removes it.
    mutating func set(_ number: Int, _ keys: [IndexKey]?) throws
}

extension IndexPageStorage {
    /// Those of the whole page.
    func keys(_ number: Int, in range: IndexKeyRange) throws -> ArraySlice<IndexKey> {
        let page = try page(number)
        return page[page.bounds(of: range)]
    }
}

/// Pages in memory. Copies share those that neither has changed since.
struct MemoryIndexPages: IndexPageStorage, Sendable {
    private var pages: [[IndexKey]?] = []

    init() {}

    func page(_ number: Int) throws -> [IndexKey] {
        guard pages.indices.contains(number), let page = pages[number] else {
            throw IndexFailure.brokenPage(number)
        }
        return page
    }

    mutating func update<R>(_ number: Int, _ body: (inout [IndexKey]) throws -> R) throws -> R {
        var page = try page(number)
        // Otherwise the page would be copied for every change.
        pages[number] = nil
        defer { pages[number] = page }
        return try body(&page)
    }

    mutating func set(_ number: Int, _ keys: [IndexKey]?) throws {
        while number >= pages.count { pages.append(nil) }
        pages[number] = keys
    }
}
