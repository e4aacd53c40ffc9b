/// A field of an entity or of an embedded value, for conditions and sort orders.
///
/// Its operators create a ``Condition``. They are members of this type, so that the compiler
/// resolves them quickly and reports wrong operands precisely. The fields of an embedded value are
/// members of the field that contains it: `$0.shelf.room == "B"`. If the embedded value is missing,
/// all its fields are null.
@dynamicMemberLookup
public struct QueryField<Root: MappedRecord, Value: FieldValue>: Sendable {
    /// The path of the value. For a composite id, it is that of the first component.
    public let queryPath: FieldPath
    /// The paths of the components of a composite id; empty for a field.
    let components: [FieldPath]

    /// Creates a field from its index in the record's layout.
    public init(_ index: Int) {
        self.init(path: FieldPath(index))
    }

    init(path: FieldPath) {
        queryPath = path
        components = []
    }

    /// Creates the id of an entity from the indexes of its components.
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

    /// A field of the embedded value; null if the value is missing.
    public subscript<Wrapped: MappedRecord, Inner>(
        dynamicMember member: KeyPath<Wrapped.Fields, QueryField<Wrapped, Inner>>
    ) -> QueryField<Root, Inner?> where Value == Wrapped? {
        QueryField<Root, Inner?>(path: path(to: Wrapped.Fields()[keyPath: member]))
    }

    /// An optional field of the embedded value; null if the value is missing.
    public subscript<Wrapped: MappedRecord, Inner>(
        dynamicMember member: KeyPath<Wrapped.Fields, QueryField<Wrapped, Inner?>>
    ) -> QueryField<Root, Inner?> where Value == Wrapped? {
        QueryField<Root, Inner?>(path: path(to: Wrapped.Fields()[keyPath: member]))
    }

    /// The path of a field inside this value.
    private func path<Embedded, Inner>(to inner: QueryField<Embedded, Inner>) -> FieldPath {
        let fields = Embedded.Mapper.layout.fields
        let index = inner.queryPath.field
        // Generated indexes are valid. An invalid one yields a path that no record has.
        let name = fields.indices.contains(index) ? fields[index].name : ""
        return FieldPath(
            queryPath.field, queryPath.names + [name] + inner.queryPath.names)
    }

    /// The value of a key in the map; null if the key is missing.
    public subscript<Element>(key: String) -> QueryField<Root, Element?>
    where Value == [String: Element] {
        QueryField<Root, Element?>(path: FieldPath(queryPath.field, queryPath.names + [key]))
    }

    /// The value of a key in the map; null if the key or the map is missing.
    public subscript<Element>(key: String) -> QueryField<Root, Element?>
    where Value == [String: Element]? {
        QueryField<Root, Element?>(path: FieldPath(queryPath.field, queryPath.names + [key]))
    }
}
