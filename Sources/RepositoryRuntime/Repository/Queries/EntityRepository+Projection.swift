extension EntityRepository {
    /// Some fields of the entities that a query asks for, in its order.
    ///
    /// ```swift
    /// let long = Query<Book>.where { $0.pages > 300 }.sorted(by: \.title)
    /// for (isbn, title) in try await books.project(\.isbn, \.title, from: long) {
    ///     print(isbn, title)
    /// }
    /// let titles = try await books.project(\.title)   // [String]
    /// ```
    /// Where the store answers the query by itself it reads these fields and no others; elsewhere entities are read, and
    /// no more than the fields is kept of each.
    /// - Parameters:
    ///   - fields: which fields; those of embedded values too, which are null where the value is missing.
    ///   - query: which entities, in which order; all of them, in id order, when left out.
    /// - Throws: `invalidQuery`, `unsupported`, or what the store throws.
    public func project<each Value: FieldValue>(
        _ fields: repeat KeyPath<Model.Fields, QueryField<Model, each Value>>,
        from query: Query<Model> = .all
    ) async throws -> [(repeat each Value)] {
        let projection = FieldProjection<repeat each Value>(
            repeat ProjectedField(Model.Fields()[keyPath: each fields]))
        return try await values(at: projection.paths, of: query).map(projection.tuple)
    }

    /// The values of one field of the entities that a query asks for, in its order.
    ///
    /// - Parameters:
    ///   - field: which field.
    ///   - query: which entities, in which order; all of them, in id order, when left out.
    /// - Throws: `invalidQuery`, `unsupported`, or what the store throws.
    public func project<Value: FieldValue>(
        _ field: KeyPath<Model.Fields, QueryField<Model, Value>>, from query: Query<Model> = .all
    ) async throws -> [Value] {
        let field = ProjectedField(Model.Fields()[keyPath: field])
        return try await values(at: field.paths, of: query).map { values in
            var rest = values[...]
            return try field.take(&rest)
        }
    }

    /// Some fields of the entities that a query asks for, in its order, each row as a value of one's own.
    ///
    /// ```swift
    /// struct BookTitle { let isbn: Book.ID; let title: String }
    /// let titles = try await books.project(
    ///     \.isbn, \.title, from: .sorted(by: \.title), into: BookTitle.init)
    /// ```
    /// - Parameters:
    ///   - fields: which fields.
    ///   - query: which entities, in which order; all of them, in id order, when left out.
    ///   - row: makes a row of the values of the fields, in the order of the fields.
    /// - Throws: `invalidQuery`, `unsupported`, or what the store or `row` throws.
    public func project<Row, each Value: FieldValue>(
        _ fields: repeat KeyPath<Model.Fields, QueryField<Model, each Value>>,
        from query: Query<Model> = .all,
        into row: (repeat each Value) throws -> Row
    ) async throws -> [Row] {
        let projection = FieldProjection<repeat each Value>(
            repeat ProjectedField(Model.Fields()[keyPath: each fields]))
        return try await values(at: projection.paths, of: query).map { values in
            let tuple = try projection.tuple(values)
            return try row(repeat each tuple)
        }
    }

    /// The values at some paths of each entity of a query, in its order.
    private func values(
        at paths: [FieldPath], of query: Query<Model>
    ) async throws -> [[StoredValue]] {
        var run = try await run(query, needing: .paths(paths))
        if let selection = run.wholeSelection {
            return try await context.store.values(Model.self, selection, at: paths)
        }
        return try await run.collect { row in paths.map { $0.value(in: row.values) } }
    }
}

/// Several fields that are read together.
struct FieldProjection<each Value: FieldValue>: Sendable {
    private let fields: (repeat ProjectedField<each Value>)

    init(_ fields: repeat ProjectedField<each Value>) {
        self.fields = (repeat each fields)
    }

    /// The paths of all fields, one after the other.
    var paths: [FieldPath] {
        var paths: [FieldPath] = []
        for field in repeat each fields { paths += field.paths }
        return paths
    }

    /// The values of the fields, made of what stands at the paths.
    func tuple(_ values: [StoredValue]) throws -> (repeat each Value) {
        var rest = values[...]
        return (repeat try (each fields).take(&rest))
    }
}
