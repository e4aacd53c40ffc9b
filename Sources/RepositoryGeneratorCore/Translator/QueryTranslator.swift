internal import RepositorySchema

/// The declared queries of a repository: one method for each.
struct QueryTranslator {
    let entity: EntityDeclaration
    private let context: ConditionContext

    init(entity: EntityDeclaration, scope: SchemaScope) {
        self.entity = entity
        context = ConditionContext(entity, scope: scope)
    }

    private var scope: SchemaScope { context.scope }

    /// The methods in the order of their declaration.
    var layers: [FinderLayer] {
        entity.queries.enumerated().map { layer($1, isSeparated: $0 > 0) }
    }

    private var name: String { entity.header.name.value }

    private func layer(_ query: QueryDeclaration, isSeparated: Bool) -> FinderLayer {
        var checker = ConditionChecker(context)
        let condition = query.condition.flatMap { checker.check($0) }
        let parameters = checker.parameters
        let types = TypeTranslator(scope: scope)
        let list = parameters.map { "\(Naming.parameter($0.name)): \(types.swift($0.type))" }
        return FinderLayer(
            isSeparated: isSeparated,
            documentation: (query.doc.map(Prose.documentation) ?? documentation(query)).block(4),
            attributes: availability(query, condition),
            signature: "\(Naming.escaped(query.name.value))(\(list.joined(separator: ", ")))"
                + " async throws -> [\(OutputNames.own(name))]",
            body: body(query, condition, Set(parameters.map(\.name))).block(8))
    }

    /// A query that names a deprecated field is deprecated itself, unless it says so already.
    private func availability(_ query: QueryDeclaration, _ condition: CheckedCondition?) -> [String]
    {
        if query.deprecated != nil { return Prose.availability(query.deprecated) }
        let sorted = query.sort.compactMap { key in field(key) }
        let named = (condition?.fields ?? []).flatMap(\.path) + sorted
        return named.contains { $0.deprecated != nil } ? ["@available(*, deprecated)"] : []
    }

    private func field(_ key: SortKey) -> FieldDeclaration? {
        context.fields[key.field.value]
    }

    // MARK: The body

    private func body(
        _ query: QueryDeclaration, _ condition: CheckedCondition?, _ parameters: Set<String>
    ) -> [String] {
        let fetch = parameters.contains("fetch") ? "self.fetch" : "fetch"
        let plain = ConditionTranslator(scope: scope, root: "$0")
        let code = condition.map { plain.conjuncts($0).map(\.grouped) } ?? []
        var steps = Self.groups(code).map { group in ".where { \(Self.joined(group).line) }" }
        steps += order(query)
        if steps.isEmpty { steps = [".all"] }
        let line = "try await \(fetch)(\(steps.joined()))"
        if line.count + 8 < LineBreaker.width, steps.count < 3 { return [line] }
        let variable = Self.free(["query", "request", "query_"], parameters)
        return ["let \(variable) = \(scope.names.qualified("Query"))<\(OutputNames.own(name))>"]
            + longSteps(condition, parameters)
            + order(query).map { "    " + $0 } + ["return try await \(fetch)(\(variable))"]
    }

    /// Each condition on lines of its own, by the name of the entity where one line is too short.
    private func longSteps(_ condition: CheckedCondition?, _ parameters: Set<String>) -> [String] {
        guard let condition else { return [] }
        let own = Naming.lowerCamelCase(name)
        let names = (own == name ? [] : [own]) + ["record", "item", "record_"]
        let root = Naming.escaped(Self.free(names, parameters.union(["query", "request"])))
        let plain = ConditionTranslator(scope: scope, root: "$0").conjuncts(condition)
        let named = ConditionTranslator(scope: scope, root: root).conjuncts(condition)
        return zip(Self.groups(plain.map(\.grouped)), Self.groups(named.map(\.grouped))).flatMap {
            short, long in
            let line = "    .where { \(Self.joined(short).line) }"
            if line.count + 8 <= LineBreaker.width { return [line] }
            // Lines are counted from the margin of the method's body.
            let inside = Self.joined(long).lines(16).map { String($0.dropFirst(8)) }
            return ["    .where { \(root) in"] + inside + ["    }"]
        }
    }

    /// The first of some names that no parameter has.
    private static func free(_ names: [String], _ taken: Set<String>) -> String {
        var name = names.first { !taken.contains($0) } ?? "record_"
        while taken.contains(name) { name += "_" }
        return name
    }

    private func order(_ query: QueryDeclaration) -> [String] {
        let keys = query.sort.compactMap { key in
            field(key).map { field in
                let property = Naming.escaped(scope.property(of: field))
                return ".sorted(by: \\.\(property)\(key.descending ? ", .descending" : ""))"
            }
        }
        let limit = query.limit.map { [".limit(\($0))"] } ?? []
        let steps = keys + limit
        // What asks for every record needs no permission to read them.
        let isBounded = query.condition != nil || !steps.isEmpty
        let scan = query.allowsFullScan?.value == true && isBounded
        return steps + (scan ? [".allowingFullScan()"] : [])
    }

    /// Conditions that all must hold, a few in each group: what the compiler checks at once stays small.
    private static func groups(_ parts: [ConditionCode]) -> [[ConditionCode]] {
        var groups: [[ConditionCode]] = []
        var count = 0
        for part in parts {
            if let last = groups.indices.last, count + part.comparisons <= mostComparisons {
                groups[last].append(part)
                count += part.comparisons
            } else {
                groups.append([part])
                count = part.comparisons
            }
        }
        return groups
    }

    private static let mostComparisons = 4

    private static func joined(_ parts: [ConditionCode]) -> ConditionCode {
        parts.count == 1 ? parts[0] : .joined("&&", parts)
    }

    // MARK: The documentation

    private func documentation(_ query: QueryDeclaration) -> [String] {
        var text = Prose.plural(name)
        if let condition = query.condition {
            let words = condition.text.split(whereSeparator: \.isWhitespace)
            text = "The \(text) where `\(words.joined(separator: " "))`"
        } else {
            text = "All \(text)"
        }
        let keys = query.sort.compactMap { key in
            field(key).map { (key.descending ? "descending " : "") + "`\(scope.property(of: $0))`" }
        }
        text += keys.isEmpty ? ", in id order" : ", by " + keys.joined(separator: ", then ")
        if let limit = query.limit { text += "; at most \(limit)" }
        return Prose.documentation(Prose.wrapped("\(text).", LineBreaker.width - 8))
    }
}

extension CheckedCondition {
    /// The fields that it names.
    var fields: [ConditionField] {
        switch self {
        case .all(let parts), .any(let parts): parts.flatMap(\.fields)
        case .not(let inner): inner.fields
        case .compare(let field, _, _), .isIn(let field, _), .isInParameter(let field, _),
            .function(_, let field, _), .isNull(let field):
            [field]
        }
    }
}
