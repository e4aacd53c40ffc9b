extension ReadableRepository {
    /// Returns some fields of the entities that a query selects, in its order.
    ///
    /// ```swift
    /// let long = Query<Book>.where { $0.pages > 300 }.sorted(by: \.title)
    /// for (isbn, title) in try await books.project(\.isbn, \.title, from: long) {
    ///     print(isbn, title)
    /// }
    /// let titles = try await books.project(\.title)   // [String]
    /// ```
    /// A store that runs the query itself reads only these fields. Otherwise entities are read, and
    /// only the fields are held in memory.
    ///
    /// - Parameters:
    ///   - fields: the fields. A field of a missing embedded value is null.
    ///   - query: selects and sorts the entities. The default selects all, in id order.
    /// - Throws: `invalidQuery`, `unsupported` or an error of the store.
    public func project<each Value: FieldValue>(
        _ fields: repeat KeyPath<Model.Fields, QueryField<Model, each Value>>,
        from query: Query<Model> = .all
    ) async throws -> [(repeat each Value)] {
        let projection = FieldProjection<repeat each Value>(
            repeat ProjectedField(Model.Fields()[keyPath: each fields]))
        return try await values(at: projection.paths, of: query).map(projection.tuple)
    }

    /// Returns one field of the entities that a query selects, in its order.
    ///
    /// - Parameters:
    ///   - field: the field.
    ///   - query: selects and sorts the entities. The default selects all, in id order.
    /// - Throws: `invalidQuery`, `unsupported` or an error of the store.
    public func project<Value: FieldValue>(
        _ field: KeyPath<Model.Fields, QueryField<Model, Value>>, from query: Query<Model> = .all
    ) async throws -> [Value] {
        let field = ProjectedField(Model.Fields()[keyPath: field])
        return try await values(at: field.paths, of: query).map { values in
            var rest = values[...]
            return try field.take(&rest)
        }
    }

    /// Returns some fields of the entities that a query selects as user-defined rows, in its order.
    ///
    /// ```swift
    /// struct BookTitle { let isbn: Book.ID; let title: String }
    /// let titles = try await books.project(
    ///     \.isbn, \.title, from: .sorted(by: \.title), into: BookTitle.init)
    /// ```
    /// - Parameters:
    ///   - fields: the fields.
    ///   - query: selects and sorts the entities. The default selects all, in id order.
    ///   - row: creates a row from the values of the fields.
    /// - Throws: `invalidQuery`, `unsupported`, or an error of the store or of `row`.
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

    /// The values at some paths of each selected entity, in the order of the query.
    private func values(
        at paths: [FieldPath], of query: Query<Model>
    ) async throws -> [[StoredValue]] {
        let query = context.scoped(query)
        if query.namesRelatives,
            let resolved = try await context.withResolved(
                query, { try await Self($0).values(at: paths, of: $1) })
        {
            return resolved
        }
        var run = try await run(query, needing: .paths(paths))
        if let selection = run.wholeSelection {
            return try await context.store.values(Model.self, selection, at: paths)
        }
        return try await run.collect { row in paths.map { $0.value(in: row.values) } }
    }
}

/// Several fields that are read together, and the decoding of their values.
struct FieldProjection<each Value: FieldValue>: Sendable {
    private let fields: (repeat ProjectedField<each Value>)

    init(_ fields: repeat ProjectedField<each Value>) {
        self.fields = (repeat each fields)
    }

    /// The paths of all fields. A composite id has one per component.
    var paths: [FieldPath] {
        var paths: [FieldPath] = []
        for field in repeat each fields { paths += field.paths }
        return paths
    }

    /// Decodes the values at the paths.
    func tuple(_ values: [StoredValue]) throws -> (repeat each Value) {
        var rest = values[...]
        return (repeat try (each fields).take(&rest))
    }
}
