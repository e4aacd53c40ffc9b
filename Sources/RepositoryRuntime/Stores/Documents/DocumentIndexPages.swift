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
