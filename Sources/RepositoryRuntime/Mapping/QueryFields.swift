/// The fields of a record, one ``QueryField`` each, under the names of its properties.
///
/// Generated as the nested struct `Fields` of every entity and embedded value:
/// ```swift
/// nonisolated public struct Fields: QueryFields {
///     public typealias QueryRoot = Book
///     public var isbn: QueryField<Book, Book.ID> { .init(0) }
///     public var title: QueryField<Book, String> { .init(1) }
///     public init() {}
/// }
/// ```
public protocol QueryFields<QueryRoot>: Sendable {
    /// The record whose fields these are.
    associatedtype QueryRoot: MappedRecord
    /// Makes the fields.
    init()
}

/// The fields of a record that was generated without any: an entity has its ``QueryFields/id`` even then.
public struct NoQueryFields<QueryRoot: MappedRecord>: QueryFields {
    /// Makes no fields.
    public init() {}
}
