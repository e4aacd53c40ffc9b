public import Foundation
public import RepositoryRuntime

/// Somebody who wrote a book.
nonisolated public struct Author: Entity {
    /// The id of an author.
    public typealias ID = EntityID<Author, Foundation.UUID>
    /// The mapper between an author and its fields.
    public typealias Mapper = AuthorMapper

    public let id: ID
    public var name: String
    public var born: Foundation.Date?

    /// Makes an author that is not stored yet.
    public init(
        id: ID = .generated,
        name: String,
        born: Foundation.Date? = nil
    ) {
        self.id = id
        self.name = name
        self.born = born
    }

    public static func == (left: Author, right: Author) -> Bool {
        guard left.id == right.id else { return false }
        guard left.name == right.name else { return false }
        return left.born == right.born
    }
}

/// The mapping between an ``Author`` and its fields, one for every store and format.
nonisolated public enum AuthorMapper: EntityMapper {
    public static let table: EntityTable = {
        var table = EntityTable("authors", entity: "Author")
        table.field("id", .uuid, key: true)
        table.field("name", .text, rules: FieldRules(minLength: 1))
        table.field("born", .date, optional: true)
        table.index("authors_name", ["name"])
        return table
    }()

    public static func encode<E: FieldEncoder>(_ author: Author, to fields: inout E) throws {
        try fields.encode(author.id, at: 0)
        try fields.encode(author.name, at: 1)
        try fields.encode(author.born, at: 2)
    }

    public static func decode<D: FieldDecoder>(from fields: inout D) throws -> Author {
        let id = try fields.decode(Author.ID.self, at: 0)
        let name = try fields.decode(String.self, at: 1)
        let born = try fields.decode(Foundation.Date?.self, at: 2)
        return Author(
            id: id,
            name: name,
            born: born
        )
    }

    public static func prepare(_ author: inout Author, for write: WriteContext) throws {
        try write.checkLength(author.name, "name", minimum: 1)
        author.born = try write.prepared(author.born, "born")
    }
}

/// The authors, wherever they are stored.
nonisolated public struct AuthorRepository: EntityRepository {
    public typealias Model = Author
    public let context: RepositoryContext

    public init(_ context: RepositoryContext) {
        self.context = context
    }
}

extension AuthorRepository {
    /// The authors of this `name`, in id order.
    nonisolated(nonsending) public func findAll(name: String) async throws -> [Author] {
        try await find(index: 0, [StoredValue(encoding: name)])
    }
}
