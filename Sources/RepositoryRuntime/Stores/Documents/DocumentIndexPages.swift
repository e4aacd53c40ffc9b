internal import Foundation

/// The pages of one index in documents, with the uncommitted changes of a write on top.
///
/// A value belongs to one write or one read. The changes remain in memory until ``changes(in:)``
/// converts them to document changes.
struct DocumentIndexPages: IndexPageStorage {
    /// The position of the index in the table.
    private let index: Int
    /// The cache of the committed pages.
    private let cache: DocumentPageCache
    /// The changed pages by number; nil for pages to remove.
    private(set) var changed: [Int: [IndexKey]?] = [:]

    /// Creates the pages of an index without changes.
    init(_ index: Int, _ cache: DocumentPageCache) {
        self.index = index
        self.cache = cache
    }

    /// Returns the keys of a page, with the changes.
    func page(_ number: Int) throws -> [IndexKey] {
        if let change = changed[number] {
            guard let keys = change else { throw IndexFailure.brokenPage(number) }
            return keys
        }
        return try cache.page(DocumentIndexNames.page(index, number), number)
    }

    /// Returns the keys of a page that are in a range.
    func keys(_ number: Int, in range: IndexKeyRange) throws -> ArraySlice<IndexKey> {
        if changed[number] == nil {
            return try cache.keys(DocumentIndexNames.page(index, number), number, in: range)
        }
        let page = try page(number)
        return page[page.bounds(of: range)]
    }

    /// Changes the keys of a page in place.
    mutating func update<R>(_ number: Int, _ body: (inout [IndexKey]) throws -> R) throws -> R {
        var keys = try page(number)
        // Release the stored array first; otherwise each change would copy the page.
        changed[number] = .some(nil)
        defer { changed[number] = .some(keys) }
        return try body(&keys)
    }

    mutating func set(_ number: Int, _ keys: [IndexKey]?) throws {
        changed[number] = .some(keys)
    }

    /// Returns the document changes that store the changed pages, in the order of the page numbers.
    func changes(in collection: String) -> [DocumentChange] {
        changed.sorted { $0.key < $1.key }.map { number, keys in
            DocumentChange(
                DocumentIndexNames.page(index, number), in: collection,
                data: keys.map(IndexPageBytes.encode(page:)))
        }
    }
}
