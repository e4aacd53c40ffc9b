internal import Foundation
internal import RepositoryRuntime
internal import RepositorySQLCore
internal import StoredSchema

/// Encodes a record's fields, or an id's components, as the parameters of a statement.
///
/// Values that a column cannot store throw `invalidItem` with the name of the field.
struct RecordEncoder: FieldEncoder {
    private let plan: TablePlan
    /// The parameters: for a record its columns, then its folded columns.
    private(set) var parameters: [SQLValue]
    /// The number of the first parameter of the components; nil for a whole record.
    private let first: Int?
    /// The field of each component; nil for a whole record.
    private let fields: [Int]?
    /// The columns of the components; nil for a whole record.
    private let columns: [Int]?

    /// Creates an encoder for a record.
    init(record plan: TablePlan) {
        self.plan = plan
        parameters = Array(
            repeating: .null, count: plan.table.columns.count + plan.foldedColumns.count)
        (first, fields, columns) = (nil, nil, nil)
    }

    /// Creates an encoder for an id: parameter `n` is component `n`.
    init(id plan: TablePlan) {
        self.plan = plan
        parameters = Array(repeating: .null, count: plan.table.key.count)
        first = 0
        fields = plan.table.entity.key
        columns = plan.table.key
    }

    /// Creates an encoder for the components of a field of a record.
    private init(_ record: RecordEncoder, field: Int) {
        plan = record.plan
        parameters = record.parameters
        first = plan.table.offsets[field]
        columns = Array(plan.table.columns(ofField: field))
        fields = Array(repeating: field, count: plan.table.counts[field])
    }

    /// Returns the parameters of a record.
    static func parameters<E: Entity>(_ entity: E, _ plan: TablePlan) throws -> [SQLValue] {
        var encoder = RecordEncoder(record: plan)
        guard let cipher = plan.table.cipher else {
            try E.Mapper.encode(entity, to: &encoder)
            return encoder.parameters
        }
        var fields = try SealingEncoder(encoder, cipher, id: entity.id)
        try E.Mapper.encode(entity, to: &fields)
        return fields.base.parameters
    }

    /// Returns the parameters of an id.
    static func parameters<I: EntityIdentifier>(of id: I, _ plan: TablePlan) throws -> [SQLValue] {
        var encoder = RecordEncoder(id: plan)
        try id.encodeComponents(to: &encoder)
        return encoder.parameters
    }

    /// The parameter of an index.
    private func number(_ index: Int) -> Int {
        first.map { $0 + index } ?? plan.table.offsets[index]
    }

    /// The representation of the column of an index.
    private func form(_ index: Int) -> SQLColumnForm {
        plan.table.columns[columns?[index] ?? plan.table.offsets[index]].form
    }

    private func invalid(_ index: Int, _ reason: String) -> CRUDRepositoryError {
        .invalidItem(field: plan.table.fieldName(fields?[index] ?? index), reason: reason)
    }

    mutating func encodeNil(at index: Int) throws {
        guard first == nil else { return }
        for number in plan.table.columns(ofField: index) { parameters[number] = .null }
        if let folded = plan.foldedParameter[number(index)] { parameters[folded] = .null }
    }

    mutating func encodeBool(_ value: Bool, at index: Int) throws {
        parameters[number(index)] = .integer(value ? 1 : 0)
    }

    mutating func encodeInteger(_ value: Int64, at index: Int) throws {
        parameters[number(index)] = .integer(value)
    }

    mutating func encodeFloat(_ value: Float, at index: Int) throws {
        try encodeDouble(Double(value), at: index)
    }

    mutating func encodeDouble(_ value: Double, at index: Int) throws {
        guard value.isFinite else { throw invalid(index, "is not a finite number") }
        // Negative zero is zero on every store.
        parameters[number(index)] = .double(value == 0 ? 0 : value)
    }

    /// Encodes a decimal. Scaled ones have the range that they have in every store.
    mutating func encodeDecimal(_ value: Decimal, at index: Int) throws {
        guard value.isFinite else { throw invalid(index, "is not a number") }
        let form = form(index)
        guard let stored = form.plain(.decimal(value)) else {
            guard case .scaledDecimal(let scale) = form else {
                throw invalid(index, "is no decimal in the table")
            }
            throw invalid(
                index, "has more digits than a decimal with \(scale) after the point can hold")
        }
        parameters[number(index)] = stored
    }

    mutating func encodeDate(_ value: Date, at index: Int) throws {
        guard StoredDate.canStore(value) else { throw invalid(index, "is out of range") }
        parameters[number(index)] = .integer(StoredDate.microseconds(value))
    }

    mutating func encodeUUID(_ value: UUID, at index: Int) throws {
        parameters[number(index)] = .text(value.uuidString)
    }

    mutating func encodeURL(_ value: URL, at index: Int) throws {
        try encodeString(value.absoluteString, at: index)
    }

    /// Encodes a text, and the folded text of a field that ignores case.
    mutating func encodeString(_ value: String, at index: Int) throws {
        guard !value.utf8.contains(0) else { throw invalid(index, "contains U+0000") }
        let number = number(index)
        parameters[number] = .text(value)
        if first == nil, let folded = plan.foldedParameter[number] {
            parameters[folded] = .text(CaseFolding.folded(value))
        }
    }

    mutating func encodeData(_ value: Data, at index: Int) throws {
        parameters[number(index)] = .data(value)
    }

    mutating func encodeComposite<V: CompositeEntityID>(_ value: V, at index: Int) throws {
        var components = RecordEncoder(self, field: index)
        try value.encodeComponents(to: &components)
        parameters = components.parameters
    }

    mutating func encodeObject<V: EmbeddedValue>(_ value: V, at index: Int) throws {
        parameters[number(index)] = .text(try JSONFieldText.encode(value))
    }

    mutating func encodeList<V: FieldValue>(_ value: [V], at index: Int) throws {
        parameters[number(index)] = .text(try JSONFieldText.encode(value))
    }

    mutating func encodeMap<V: FieldValue>(_ value: [String: V], at index: Int) throws {
        parameters[number(index)] = .text(try JSONFieldText.encode(value))
    }
}
