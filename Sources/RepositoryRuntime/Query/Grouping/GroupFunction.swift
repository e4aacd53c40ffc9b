/// An aggregate over each group of entities: `.count`, `.sum(of: \.total)`, `.minimum(of: \.date)`.
public struct GroupFunction<Model: Entity, Value: Sendable>: Sendable {
    /// The aggregate function.
    let kind: FieldTotal.Kind
    /// The field that is aggregated. `.count` ignores it.
    let path: FieldPath
    /// Converts the total to the result; returns nil if the result type cannot represent it.
    let value: @Sendable (FieldTotal) throws -> Value?

    init(
        _ kind: FieldTotal.Kind, _ path: FieldPath,
        _ value: @escaping @Sendable (FieldTotal) throws -> Value?
    ) {
        self.kind = kind
        self.path = path
        self.value = value
    }

    /// Returns the result for one group.
    ///
    /// - Throws: `numberOverflow` if the result type cannot represent the value.
    func result(_ total: FieldTotal) throws -> Value {
        guard let value = try value(total) else {
            throw CRUDRepositoryError.sumOverflow(path, in: Model.Mapper.table)
        }
        return value
    }
}

extension GroupFunction where Value == Int {
    /// The number of entities.
    public static var count: Self { Self(.count, FieldPath(0)) { $0.count } }
}

extension GroupFunction {
    /// The smallest value of a field, ignoring null; nil if there is none.
    public static func minimum<Field: OrderedFieldValue>(
        of field: KeyPath<Model.Fields, QueryField<Model, Field>>
    ) -> Self where Value == Field.Comparand? {
        Self(.minimum, Model.Fields()[keyPath: field].queryPath) { total in
            .some(try total.extreme.map { try StoredValueDecoder.value(Field.Comparand.self, $0) })
        }
    }

    /// The largest value of a field, ignoring null; nil if there is none.
    public static func maximum<Field: OrderedFieldValue>(
        of field: KeyPath<Model.Fields, QueryField<Model, Field>>
    ) -> Self where Value == Field.Comparand? {
        Self(.maximum, Model.Fields()[keyPath: field].queryPath) { total in
            .some(try total.extreme.map { try StoredValueDecoder.value(Field.Comparand.self, $0) })
        }
    }

    /// The sum of a field, ignoring null; 0 if there is no value. Throws `numberOverflow` if the
    /// result type cannot represent it.
    public static func sum<Field: NumericFieldValue>(
        of field: KeyPath<Model.Fields, QueryField<Model, Field>>
    ) -> Self where Value == Field.Total {
        Self(.sum, Model.Fields()[keyPath: field].queryPath) { Field.total($0.sum) }
    }

    /// The average of a field, ignoring null; nil if there is no value. Throws `numberOverflow` if
    /// the sum overflows its type.
    public static func average<Field: NumericFieldValue>(
        of field: KeyPath<Model.Fields, QueryField<Model, Field>>
    ) -> Self where Value == Field.Mean? {
        Self(.average, Model.Fields()[keyPath: field].queryPath) { total in
            guard total.sum.count > 0 else { return .some(nil) }
            return Field.mean(total.sum).map { .some($0) }
        }
    }
}

extension CRUDRepositoryError {
    /// Creates a `numberOverflow` error for a sum.
    static func sumOverflow(_ path: FieldPath, in table: EntityTable) -> Self {
        let field = path.text(in: table.layout)
        return Self(
            .numberOverflow, "The sum of '\(field)' in '\(table.name)' is too large for its type.",
            table: table.name, field: field)
    }
}
