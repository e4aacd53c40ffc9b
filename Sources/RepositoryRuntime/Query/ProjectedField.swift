/// A field of a projection, which is assembled from the stored values at its paths.
///
/// An id with several components has one path for each component; every other field has one.
struct ProjectedField<Value: FieldValue>: Sendable {
    /// The paths of the value, or one path for each component of an id.
    let paths: [FieldPath]
    /// The names of the components; empty for a field that is not a composite id.
    private let names: [String]

    init<Root>(_ field: QueryField<Root, Value>) {
        let components = field.components
        paths = components.isEmpty ? [field.queryPath] : components
        names = components.map { Root.Mapper.layout.fields[$0.field].name }
    }

    /// Removes the values of this field's paths from the front of the slice, and decodes the field
    /// from them.
    ///
    /// - Throws: an error of ``StoredValueDecoder`` if the values do not represent a `Value`.
    func take(_ values: inout ArraySlice<StoredValue>) throws -> Value {
        defer { values = values.dropFirst(paths.count) }
        guard !names.isEmpty else {
            return try StoredValueDecoder.value(Value.self, values.first ?? .null)
        }
        let components = Dictionary(zip(names, values), uniquingKeysWith: { $1 })
        return try StoredValueDecoder.value(Value.self, .object(components))
    }
}
