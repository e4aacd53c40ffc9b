internal import Foundation

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

    func keys(_ number: Int, in range: IndexKeyRange) throws -> ArraySlice<IndexKey> {
        if changed[number] == nil {
            return try cache.keys(DocumentIndexNames.page(index, number), number, in: range)
        }
        let page = try page(number)
        return page[page.bounds(of: range)]
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
