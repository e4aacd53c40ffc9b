/// The objects of a relationship to many, read owner by owner in the order of the owners' keys.
package final class LinkCursor {
    private let query: Query
    private let names: [Int: String]
    /// The link that was read, but not returned.
    private var pending: (owner: Int, entity: String?, key: Int)?
    private var isAtEnd = false
    /// The number of links to objects that do not exist.
    private(set) var danglingCount = 0

    /// Creates a cursor.
    ///
    /// - Parameter query: selects the owner, the key of the other object and its entity's number, in
    ///   the order of the owners.
    init(_ query: Query, names: [Int: String]) {
        self.query = query
        self.names = names
    }

    /// Returns the objects of an owner. Its key is greater than that of the call before.
    ///
    /// - Throws: ``CoreDataFileError``.
    func objects(of owner: Int) throws(CoreDataFileError) -> [ObjectReference] {
        var found: [ObjectReference] = []
        while let next = try peek(), next.owner <= owner {
            pending = nil
            guard next.owner == owner else { continue }
            if let entity = next.entity {
                found.append(ObjectReference(entity: entity, key: next.key))
            } else {
                danglingCount += 1
            }
        }
        return found
    }

    /// Returns the next link, without moving on.
    func peek() throws(CoreDataFileError) -> (owner: Int, entity: String?, key: Int)? {
        while pending == nil, !isAtEnd {
            guard try query.step() else {
                isAtEnd = true
                break
            }
            guard let owner = query.integer(0), let key = query.integer(1) else { continue }
            pending = (owner, query.integer(2).flatMap { names[$0] }, key)
        }
        return pending
    }

    /// Returns the next link, whoever its owner is.
    ///
    /// - Throws: ``CoreDataFileError``.
    package func next() throws(CoreDataFileError) -> (owner: Int, entity: String?, key: Int)? {
        defer { pending = nil }
        return try peek()
    }
}
