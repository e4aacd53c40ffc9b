/// The pages of one index that were read last, in one state of the documents: no more than twice ``generationLimit``.
final class DocumentPageCache {
    /// How many pages are read or used again before those that were not are given up.
    static let generationLimit = 128

    private let driver: any DocumentDriver
    private let collection: String
    private var young: [Int: [IndexKey]] = [:]
    private var old: [Int: [IndexKey]] = [:]
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
        if let keys = young[number] { return keys }
        if let keys = old.removeValue(forKey: number) {
            keep(keys, number)
            return keys
        }
        guard let data = try driver.get(name, in: collection),
            let keys = IndexPageBytes.page(data)
        else { throw IndexFailure.brokenPage(number) }
        keep(keys, number)
        return keys
    }

    /// Takes over pages that were written; nil for those that are gone.
    func take(_ changed: [Int: [IndexKey]?]) {
        for (number, change) in changed {
            young[number] = nil
            old[number] = nil
            if let keys = change { keep(keys, number) }
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

    private func keep(_ keys: [IndexKey], _ number: Int) {
        if young.count >= Self.generationLimit {
            old = young
            young = [:]
        }
        young[number] = keys
    }
}
