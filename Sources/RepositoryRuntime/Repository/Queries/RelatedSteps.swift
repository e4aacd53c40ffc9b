/// Describes how the related records of a query are found, in lines of an explanation.
///
/// ```
/// first, the authors of 'author' are found:
///     files: finds by the index authors_name (name)
///     reads as many records as it finds
/// ```
struct RelatedSteps {
    /// The lines, in the order of the reads.
    let lines: [String]

    /// Describes the steps before the records of a query are read.
    ///
    /// - Throws: `invalidQuery` if a link leads to no entity.
    init<E: Entity>(_ query: Query<E>, _ store: any EntityStore) throws {
        let conjuncts = query.condition.tree.conjuncts
        let own = conjuncts.filter { !$0.namesRelatives }
        var lines: [String] = []
        for conjunct in conjuncts {
            for related in conjunct.relatives {
                let target = try RelatedResolution.entity(related.link)
                var side = RelatedSide.target
                if case .related = conjunct {
                    side = try RelatedSide(related, beside: own, of: E.self, in: store)
                }
                lines += try Self.lines(related, target, side, store)
            }
        }
        let layout = E.Mapper.layout
        for relative in query.sortKeys.compactMap(\.relative) {
            let side = RelatedSide(sorting: query.assumingRelatives(in: store), in: store)
            let (text, tables) = (relative.text(in: layout), relative.tables.sorted())
            lines.append(
                side == .record
                    ? "first, the records are found, and \(text) is looked up for them"
                    : "first, \(text) is looked up in all records of "
                        + tables.map { "'\($0)'" }.joined(separator: " and "))
        }
        self.lines = lines
    }

    private static func lines<Target: Entity>(
        _ related: RelatedCondition, _ target: Target.Type, _ side: RelatedSide,
        _ store: any EntityStore
    ) throws -> [String] {
        let query = Query<Target>(Condition(related.condition), sortKeys: [])
        let table = Target.Mapper.table
        let name = related.link.name
        switch side {
        case .record:
            return [
                "first, the records are found by their own conditions, and those of '\(table.name)' "
                    + "that '\(name)' links with them are read"
            ]
        case .target:
            let plan = QueryPlan(query.assumingRelatives(in: store), store)
            let steps = try RelatedSteps(query, store).lines
            let text = QueryExplanation(plan, table, store: store.name, steps: steps).description
            return ["first, the records of '\(table.name)' for '\(name)' are found:"]
                + text.split(separator: "\n").map { "    \($0)" }
        }
    }
}
