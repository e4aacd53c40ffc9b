/// A field as a projection reads it from the values at its paths.
struct ProjectedField<Value: FieldValue>: Sendable {
    /// Where the value stands; for an id of several components, where each of them does.
    let paths: [FieldPath]
    /// The names of the components; empty for a field.
    private let names: [String]

    init<Root>(_ field: QueryField<Root, Value>) {
        let components = field.components
        paths = components.isEmpty ? [field.queryPath] : components
        names = components.map { Root.Mapper.layout.fields[$0.field].name }
    }

    /// The value made of what stands at the paths, which it takes from the front.
    func take(_ values: inout ArraySlice<StoredValue>) throws -> Value {
        defer { values = values.dropFirst(paths.count) }
        guard !names.isEmpty else {
            return try StoredValueDecoder.value(Value.self, values.first ?? .null)
        }
        let components = Dictionary(zip(names, values), uniquingKeysWith: { $1 })
        return try StoredValueDecoder.value(Value.self, .object(components))
    }
}
