internal import Foundation

/// The names of what indexes keep in documents.
enum DocumentIndexNames {
    /// What the collections of indexes begin with; no table's name does.
    static let prefix = ".index."
    /// The document that says what the indexes cover.
    static let state = "state"

    /// The collection of the indexes of a table.
    static func collection(of table: String) -> String { prefix + table }

    /// The table of a collection of indexes; nil for any other collection.
    static func table(of collection: String) -> String? {
        guard collection.utf8.starts(with: prefix.utf8) else { return nil }
        return String(collection.dropFirst(prefix.count))
    }

    /// The document of an index's directory.
    static func directory(_ index: Int) -> String { "\(index)" }

    /// The document of a page of an index.
    static func page(_ index: Int, _ number: Int) -> String { "\(index)-\(number)" }
}

/// The pages of one index that were read already, in one state of the documents.
final class DocumentPageCache {
    private let driver: any DocumentDriver
    private let collection: String
    private var pages: [Int: [IndexKey]] = [:]
    /// The pages before a write, and what it changes; until it has happened, the others must not see it.
    private var base: DocumentPageCache?

    init(_ driver: any DocumentDriver, _ collection: String) {
        self.driver = driver
        self.collection = collection
    }

    /// The keys of a page.
    func page(_ name: String, _ number: Int) throws -> [IndexKey] {
        if let keys = pages[number] { return keys }
        if let base { return try base.page(name, number) }
        guard let data = try driver.get(name, in: collection),
            let keys = IndexPageBytes.page(data)
        else { throw IndexFailure.brokenPage(number) }
        pages[number] = keys
        return keys
    }

    /// Takes over pages that were written; nil for those that are gone.
    func take(_ changed: [Int: [IndexKey]?]) {
        for (number, keys) in changed { pages[number] = keys }
    }

    /// A cache that holds pages as a write is about to make them.
    func with(_ changed: [Int: [IndexKey]?]) -> DocumentPageCache {
        let cache = DocumentPageCache(driver, collection)
        cache.base = self
        cache.pages = changed.compactMapValues { $0 }
        return cache
    }

    /// The write has happened.
    func settle() {
        guard let base else { return }
        pages.merge(base.pages) { keys, _ in keys }
        self.base = nil
    }
}

/// The pages of one index in documents, and on top of them what was changed since they were read.
struct DocumentIndexPages: IndexPageStorage {
    private let index: Int
    private let cache: DocumentPageCache
    /// Pages as they are to be written; nil for those that are to be removed.
    private(set) var changed: [Int: [IndexKey]?] = [:]

    init(_ index: Int, _ cache: DocumentPageCache) {
        self.index = index
        self.cache = cache
    }

    func page(_ number: Int) throws -> [IndexKey] {
        if let change = changed[number] {
            guard let keys = change else { throw IndexFailure.brokenPage(number) }
            return keys
        }
        return try cache.page(DocumentIndexNames.page(index, number), number)
    }

    mutating func update<R>(_ number: Int, _ body: (inout [IndexKey]) throws -> R) throws -> R {
        var keys = try page(number)
        // Otherwise the page would be copied for every change.
        changed[number] = .some(nil)
        defer { changed[number] = .some(keys) }
        return try body(&keys)
    }

    mutating func set(_ number: Int, _ keys: [IndexKey]?) throws {
        changed[number] = .some(keys)
    }

    /// What is to be written.
    func changes(in collection: String) -> [DocumentChange] {
        changed.sorted { $0.key < $1.key }.map { number, keys in
            DocumentChange(
                DocumentIndexNames.page(index, number), in: collection,
                data: keys.map(IndexPageBytes.encode(page:)))
        }
    }
}
