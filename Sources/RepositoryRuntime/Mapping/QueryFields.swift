/// The fields of a record as ``QueryField`` values, with the names of the properties.
///
/// The generator emits a nested struct `Fields` for every entity and embedded value:
/// ```swift
/// nonisolated public struct Fields: QueryFields {
///     public typealias QueryRoot = Book
///     public var isbn: QueryField<Book, Book.ID> { .init(0) }
///     public var title: QueryField<Book, String> { .init(1) }
///     public init() {}
/// }
/// ```
public protocol QueryFields<QueryRoot>: Sendable {
    /// The record to which the fields belong.
    associatedtype QueryRoot: MappedRecord
    /// Creates the fields.
    init()
}

/// The fields of a record without a generated struct `Fields`. An entity still has
/// ``QueryFields/id``.
public struct NoQueryFields<QueryRoot: MappedRecord>: QueryFields {
    /// Creates the value.
    public init() {}
}
