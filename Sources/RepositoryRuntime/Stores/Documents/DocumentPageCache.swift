internal import Foundation

/// The pages of one index that were read last, in one state of the documents: no more than twice ``generationLimit``.
final class DocumentPageCache {
    /// How many pages are read or used again before those that were not are given up.
    static let generationLimit = 128

    /// What is known of a page.
    private enum Page {
        /// Its bytes: it was asked once, for some of its keys. Where a table has far more pages than are kept, most of them are
        /// asked no more, and to make hundreds of keys of each would cost more than to read it.
        case bytes(Data)
        case keys([IndexKey])
    }

    private let driver: any DocumentDriver
    private let collection: String
    private var young: [Int: Page] = [:]
    private var old: [Int: Page] = [:]
    /// What a write makes of pages, nil for those that are gone; until it has happened, the others must not see it.
    private var changed: [Int: [IndexKey]?] = [:]
    /// The pages before the write.
    private var base: DocumentPageCache?

    init(_ driver: any DocumentDriver, _ collection: String) {
        self.driver = driver
        self.collection = collection
    }

    /// How many pages are kept.
    var count: Int { young.count + old.count }

    /// The keys of a page.
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

    /// Those keys of a page that lie in a range.
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

    private func known(_ number: Int) -> Page? {
        if let page = young[number] { return page }
        guard let page = old.removeValue(forKey: number) else { return nil }
        keep(page, number)
        return page
    }

    /// Takes over pages that were written; nil for those that are gone.
    func take(_ changed: [Int: [IndexKey]?]) {
        for (number, change) in changed {
            young[number] = nil
            old[number] = nil
            if let keys = change { keep(.keys(keys), number) }
        }
    }

    /// A cache that holds pages as a write is about to make them.
    func with(_ changed: [Int: [IndexKey]?]) -> DocumentPageCache {
        let cache = DocumentPageCache(driver, collection)
        cache.base = self
        cache.changed = changed
        return cache
    }

    /// The write has happened.
    func settle() {
        guard let base else { return }
        young = base.young
        old = base.old
        self.base = nil
        take(changed)
        changed = [:]
    }

    private func keep(_ page: Page, _ number: Int) {
        if young[number] == nil, young.count >= Self.generationLimit {
            old = young
            young = [:]
        }
        young[number] = page
    }
}
