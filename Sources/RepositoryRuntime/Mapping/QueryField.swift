/// A field of an entity, or of a value embedded in one, as a condition or a sort order names it.
///
/// Its operators make a ``Condition``; they are members of this type, so that the compiler finds them, and what is
/// wrong with their operands, at once. The fields of an embedded value are members of the field that holds it:
/// `$0.shelf.room == "B"`. Where the embedded value is missing, all its fields are null.
@dynamicMemberLookup
public struct QueryField<Root: MappedRecord, Value: FieldValue>: Sendable {
    /// Where the value stands; for an id of several components, where the first of them does.
    public let queryPath: FieldPath
    /// Where the components of an id stand that is no field; empty for a field.
    let components: [FieldPath]

    /// Names the field at an index of the record's layout.
    public init(_ index: Int) {
        self.init(path: FieldPath(index))
    }

    init(path: FieldPath) {
        queryPath = path
        components = []
    }

    /// Names the id of an entity by its key.
    init(key: [Int]) {
        queryPath = FieldPath(key.first ?? 0)
        components = key.count > 1 ? key.map { FieldPath($0) } : []
    }

    /// A field of the embedded value.
    public subscript<Inner>(
        dynamicMember member: KeyPath<Value.Fields, QueryField<Value, Inner>>
    ) -> QueryField<Root, Inner> where Value: MappedRecord {
        QueryField<Root, Inner>(path: path(to: Value.Fields()[keyPath: member]))
    }

    /// A field of the embedded value, null where there is no value.
    public subscript<Wrapped: MappedRecord, Inner>(
        dynamicMember member: KeyPath<Wrapped.Fields, QueryField<Wrapped, Inner>>
    ) -> QueryField<Root, Inner?> where Value == Wrapped? {
        QueryField<Root, Inner?>(path: path(to: Wrapped.Fields()[keyPath: member]))
    }

    /// An optional field of the embedded value, null also where there is no value.
    public subscript<Wrapped: MappedRecord, Inner>(
        dynamicMember member: KeyPath<Wrapped.Fields, QueryField<Wrapped, Inner?>>
    ) -> QueryField<Root, Inner?> where Value == Wrapped? {
        QueryField<Root, Inner?>(path: path(to: Wrapped.Fields()[keyPath: member]))
    }

    /// The path of a field of the value that stands here.
    private func path<Embedded, Inner>(to inner: QueryField<Embedded, Inner>) -> FieldPath {
        let fields = Embedded.Mapper.layout.fields
        let index = inner.queryPath.field
        // Generated indexes are those of the layout; a wrong one names a field that no record has.
        let name = fields.indices.contains(index) ? fields[index].name : ""
        return FieldPath(
            queryPath.field, queryPath.names + [name] + inner.queryPath.names)
    }

    /// The value under a key of the map, null where there is none.
    public subscript<Element>(key: String) -> QueryField<Root, Element?>
    where Value == [String: Element] {
        QueryField<Root, Element?>(path: FieldPath(queryPath.field, queryPath.names + [key]))
    }

    /// The value under a key of the map, null where there is no key or no map.
    public subscript<Element>(key: String) -> QueryField<Root, Element?>
    where Value == [String: Element]? {
        QueryField<Root, Element?>(path: FieldPath(queryPath.field, queryPath.names + [key]))
    }
}
