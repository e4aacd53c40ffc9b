internal import Foundation

/// A cache of the pages of one index in one state of the documents.
///
/// The cache has two generations and contains at most twice ``generationLimit`` pages. A page that
/// is read moves from the old generation to the young one. When the young generation is full, it
/// replaces the old one.
///
/// A write creates a cache with its changes on top of the committed one (``with(_:)``) and merges
/// the two after the commit (``settle()``). Not thread-safe.
final class DocumentPageCache {
    /// The maximum number of pages in a generation.
    static let generationLimit = 128

    /// A cached page.
    private enum Page {
        /// The encoded page. It has been read once, for some of its keys. If a table has far more
        /// pages than the cache, most pages are never read again, and decoding hundreds of keys of
        /// each would cost more than reading it.
        case bytes(Data)
        /// The decoded page.
        case keys([IndexKey])
    }

    private let driver: any DocumentDriver
    /// The collection that contains the pages.
    private let collection: String
    /// The pages read recently, by number.
    private var young: [Int: Page] = [:]
    /// The pages read before those of the young generation, by number.
    private var old: [Int: Page] = [:]
    /// The pages as changed by a write; nil for removed pages. Other readers must not see them
    /// before the commit.
    private var changed: [Int: [IndexKey]?] = [:]
    /// The cache of the committed pages, before the commit of the write.
    private var base: DocumentPageCache?

    /// Creates an empty cache.
    init(_ driver: any DocumentDriver, _ collection: String) {
        self.driver = driver
        self.collection = collection
    }

    /// The number of cached pages.
    var count: Int { young.count + old.count }

    /// Returns the keys of a page. Reads the page if it is not cached.
    ///
    /// - Parameters:
    ///   - name: The key of the page's document.
    ///   - number: The number of the page.
    /// - Throws: ``IndexFailure`` if the page is missing or damaged.
    func page(_ name: String, _ number: Int) throws -> [IndexKey] {
        if let change = changed[number] {
            guard let keys = change else { throw IndexFailure.brokenPage(number) }
            return keys
        }
        if let base { return try base.page(name, number) }
        let data: Data?
        switch known(number) {
        case .keys(let keys): return keys
        case .bytes(let bytes): data = bytes
        case nil: data = try driver.get(name, in: collection)
        }
        guard let data, let keys = IndexPageBytes.page(data) else {
            throw IndexFailure.brokenPage(number)
        }
        keep(.keys(keys), number)
        return keys
    }

    /// Returns the keys of a page that are in a range.
    ///
    /// The first read of a page decodes only these keys and caches the encoded page. The second
    /// read decodes and caches all keys.
    func keys(
        _ name: String, _ number: Int, in range: IndexKeyRange
    ) throws -> ArraySlice<IndexKey> {
        if let base, changed[number] == nil { return try base.keys(name, number, in: range) }
        if changed[number] == nil, known(number) == nil {
            guard let data = try driver.get(name, in: collection),
                let keys = IndexPageBytes.keys(data, in: range)
            else { throw IndexFailure.brokenPage(number) }
            keep(.bytes(data), number)
            return keys[...]
        }
        let page = try page(name, number)
        return page[page.bounds(of: range)]
    }

    /// Returns a cached page, and moves it to the young generation.
    private func known(_ number: Int) -> Page? {
        if let page = young[number] { return page }
        guard let page = old.removeValue(forKey: number) else { return nil }
        keep(page, number)
        return page
    }

    /// Stores the pages that a write has changed; nil for removed pages.
    func take(_ changed: [Int: [IndexKey]?]) {
        for (number, change) in changed {
            young[number] = nil
            old[number] = nil
            if let keys = change { keep(.keys(keys), number) }
        }
    }

    /// Returns a cache of the pages as a write will change them, on top of this cache.
    func with(_ changed: [Int: [IndexKey]?]) -> DocumentPageCache {
        let cache = DocumentPageCache(driver, collection)
        cache.base = self
        cache.changed = changed
        return cache
    }

    /// Merges the changes with the committed pages, after the commit of the write.
    func settle() {
        guard let base else { return }
        young = base.young
        old = base.old
        self.base = nil
        take(changed)
        changed = [:]
    }

    /// Adds a page to the young generation.
    private func keep(_ page: Page, _ number: Int) {
        if young[number] == nil, young.count >= Self.generationLimit {
            old = young
            young = [:]
        }
        young[number] = page
    }
}
