/// The values of some fields of an entity: the contents of a patch or a draft.
struct NamedFields<Record: Entity>: Sendable, Hashable {
    /// The values by field index.
    private(set) var values: [Int: StoredValue] = [:]
    /// The reasons why values that were set cannot be stored, by field index.
    private var unstorable: [Int: String] = [:]
    /// The external data that was set in Swift, with its bytes, by its stored form.
    private var external: [String: ExternalData] = [:]

    /// Creates an empty collection.
    init() {}

    /// Decodes the fields that a body names.
    ///
    /// - Parameters:
    ///   - decoder: the decoder of the body.
    ///   - refusal: the reason why a field must not be named; nil if it may be.
    /// - Throws: `invalidItem` with all names and values that are wrong.
    init(from decoder: any Decoder, refusing refusal: (Int) -> String?) throws {
        let table = Record.Mapper.table
        var reader = NamedValueDecoder()
        values = try reader.fields(from: decoder, table.layout)
        let refused = values.keys.sorted().compactMap { index in
            refusal(index).map { Self.forbidden(index, $0) }
        }
        let names = Set(refused.map(\.field))
        let violations = refused + reader.violations.filter { !names.contains($0.field) }
        guard violations.isEmpty else {
            throw CRUDRepositoryError.invalidItem(violations, table: table.name)
        }
    }

    /// Encodes the named fields.
    func encode(to encoder: any Encoder) throws {
        try NamedValueEncoder.encode(values, Record.Mapper.layout, to: encoder)
    }

    /// The names of the fields, in the order of the layout.
    var names: [String] {
        let fields = Record.Mapper.layout.fields
        return Set(values.keys).union(unstorable.keys).sorted().map { fields[$0].name }
    }

    /// Sets the value of a field.
    mutating func set<Value: FieldValue>(
        _ field: KeyPath<Record.Fields, QueryField<Record, Value>>, to value: Value
    ) {
        let index = Self.index(of: field)
        unstorable[index] = nil
        if let data = (value as Any) as? ExternalData { external[data.description] = data }
        do {
            values[index] = try StoredValue(encoding: value)
        } catch {
            // A setter cannot throw. The write that uses the value does.
            values[index] = nil
            unstorable[index] = "cannot be stored: \(error)"
        }
    }

    /// Sets the stored value of a field, or removes it.
    mutating func set(_ value: StoredValue?, at index: Int) { values[index] = value }

    /// Returns the value of a field; nil if it is not named.
    func value<Value: FieldValue>(
        of field: KeyPath<Record.Fields, QueryField<Record, Value>>
    ) throws -> Value? {
        try values[Self.index(of: field)].map { try StoredValueDecoder.value(Value.self, $0) }
    }

    /// Removes a field.
    mutating func remove<Value: FieldValue>(
        _ field: KeyPath<Record.Fields, QueryField<Record, Value>>
    ) {
        let index = Self.index(of: field)
        values[index] = nil
        unstorable[index] = nil
    }

    /// Returns the violations by values that were set in Swift.
    func violations(refusing refusal: (Int) -> String?) -> [CRUDRepositoryError.Violation] {
        let fields = Record.Mapper.layout.fields
        return Set(values.keys).union(unstorable.keys).sorted().compactMap { index in
            if let reason = refusal(index) { return Self.forbidden(index, reason) }
            return unstorable[index].map { .field(fields[index].name, .storable, $0) }
        }
    }

    /// Returns a record with the values of the fields instead of those of a row.
    ///
    /// - Throws: `invalidItem` with all values that are not of the types of their fields.
    func record(over row: [StoredValue]) throws -> Record {
        var changed = row
        for (index, value) in values { changed[index] = value }
        do {
            var record = try Self.decoded(changed)
            Record.Mapper.changeExternalData(of: &record) { external[$0.description] ?? $0 }
            return record
        } catch {
            // A value of a base type need not be one of an enum, a union or a user's type.
            let fields = Record.Mapper.layout.fields
            let violations = values.keys.sorted().compactMap {
                index -> CRUDRepositoryError.Violation? in
                var one = row
                one[index] = values[index] ?? .null
                do {
                    _ = try Self.decoded(one)
                    return nil
                } catch {
                    let found = RecordDecodingError.inside(fields[index], error)
                    return .field(fields[index].name, .type, "has a wrong value: \(found.reason)")
                }
            }
            guard !violations.isEmpty else { throw error }
            throw CRUDRepositoryError.invalidItem(violations, table: Record.Mapper.table.name)
        }
    }

    private static func decoded(_ row: [StoredValue]) throws -> Record {
        var fields = StoredValueDecoder(row, layout: Record.Mapper.layout)
        return try Record.Mapper.decode(from: &fields)
    }

    private static func forbidden(_ index: Int, _ reason: String) -> CRUDRepositoryError.Violation {
        .field(Record.Mapper.layout.fields[index].name, .forbidden, reason)
    }

    private static func index<Value: FieldValue>(
        of field: KeyPath<Record.Fields, QueryField<Record, Value>>
    ) -> Int {
        Record.Fields()[keyPath: field].queryPath.field
    }
}

extension NamedFields: CustomStringConvertible, CustomReflectable {
    /// The names of the fields. Values are not printed, as those of queries are not.
    var description: String { "(\(names.joined(separator: ", ")))" }

    /// A mirror without the values.
    var customMirror: Mirror { Mirror(hiding: self) }
}
