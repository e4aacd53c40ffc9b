internal import RepositoryRuntime

extension StoreBehaviour {
    /// Queries: conditions, orders, pages, aggregates and errors.
    static let queries: [StoreBehaviour] = [
        queryTypes, queryLogic, queryValues, queryText, queryNesting, queryOrder, queryLimits,
        queryPages, queryNumbers, queryStreams, queryRefusals,
        declaredQueries,
    ].flatMap { $0 }

    /// A behaviour of stores that support queries.
    static func query(
        _ name: String, _ sentence: String, needs: [StoreCapability] = [],
        fileID: String = #fileID, line: Int = #line, _ body: @escaping Check
    ) -> StoreBehaviour {
        StoreBehaviour(
            "queries.\(name)", sentence, needs: [.records, .queries] + needs, fileID: fileID,
            line: line, body)
    }
}
