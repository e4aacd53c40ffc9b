/// How many keys are combined in one query that loads related records.
enum KeyChunk {
    /// The number of reference values per query, chosen by the query plan for one value.
    static func size<E: Entity>(for field: FieldPath, of type: E.Type, _ plan: QueryPlan) -> Int {
        // An index scan serves one key and stops when the limit is reached.
        if case .index = plan.access { return 1 }
        // The condition compares each component, and databases limit the size of an expression.
        if case .composite = E.Mapper.layout.fields[field.field].type { return 50 }
        // The keys are bound as one list parameter, or as at most 500, which every database
        // accepts.
        return 500
    }

    /// The number of ids per query.
    static func size<ID: EntityIdentifier>(of type: ID.Type) -> Int {
        ID.componentCount == 1 ? 500 : max(1, 100 / ID.componentCount)
    }
}

extension Array {
    /// The elements in order, in slices of at most `count` elements.
    func chunks(ofAtMost count: Int) -> [ArraySlice<Element>] {
        stride(from: 0, to: self.count, by: count).map {
            self[$0..<Swift.min(self.count, $0 + count)]
        }
    }
}

extension FieldPath {
    /// The path of a property.
    ///
    /// - Throws: `invalidQuery` if the entity has no such property. Generated code never causes
    ///   this.
    init<E: Entity>(_ type: E.Type, _ property: String) throws {
        let table = E.Mapper.table
        guard let field = table.layout.indexByKey[property] else {
            throw CRUDRepositoryError.invalidQuery(
                "The entity has no field '\(property)'.", table: table.name)
        }
        self.init(field)
    }
}
