/// How a query examines every record of a table in memory by columns.
struct ColumnScan: Sendable {
    /// The fields whose columns are needed.
    let fields: [Int]
    /// The fields whose values are needed of each matching record.
    let rowFields: [Int]
    /// The condition.
    let test: ColumnTest

    /// Compiles the scan of a query.
    ///
    /// - Parameters:
    ///   - condition: the condition; nil if none is tested.
    ///   - rowFields: the fields that are needed of each matching record.
    ///   - layout: the layout of the entity.
    /// - Returns: nil if the condition cannot be tested on columns, or if a field has a type whose
    ///   values would be expensive to store twice.
    init?(_ condition: ConditionTree?, rowFields: Set<Int>, _ layout: FieldLayout) {
        let fields = rowFields.union(condition?.fields ?? [])
        guard fields.allSatisfy({ layout.fields[$0].type.isScalar }),
            let test = (condition ?? .constant(true)).columnTest(fieldCount: layout.fields.count)
        else { return nil }
        self.fields = fields.sorted()
        self.rowFields = rowFields.sorted()
        self.test = test
    }
}

extension StoredType {
    /// Whether a value is a single number, text, date or the like.
    fileprivate var isScalar: Bool {
        switch self {
        case .bool, .int8, .int16, .int32, .int64, .uint8, .uint16, .uint32, .float, .double,
            .decimal, .date, .text, .url, .uuid, .data, .localDate:
            true
        case .composite, .object, .list, .map, .externalData: false
        }
    }
}
