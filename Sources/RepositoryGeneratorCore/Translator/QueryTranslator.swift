internal import ConditionLanguage
internal import RepositorySchema

/// Creates the methods of a repository for the declared queries.
///
/// For the query `thick: { where: author == $author && pages > $pages, sort: [-pages, title] }`,
/// the output contains:
///
/// ```swift
/// nonisolated(nonsending) public func thick(
///     author: Author.ID, pages: Int
/// ) async throws -> [Book] {
///     let query = Query<Book>
///         .where { $0.authorID == author && $0.pages > pages }
///         .sorted(by: \.pages, .descending)
///         .sorted(by: \.title)
///     return try await fetch(query)
/// }
/// ```
struct QueryTranslator {
    /// The entity, with mixins expanded.
    let entity: EntityDeclaration
    /// The names that the conditions can use.
    private let context: ConditionContext

    /// Creates the translator of an entity's queries.
    init(entity: EntityDeclaration, scope: SchemaScope) {
        self.entity = entity
        context = ConditionContext(entity, scope: scope)
    }

    private var scope: SchemaScope { context.scope }

    /// The methods in the order of their declarations.
    var layers: [FinderLayer] {
        entity.queries.enumerated().map { layer($1, isSeparated: $0 > 0) }
    }

    /// The name of the entity.
    private var name: String { entity.header.name.value }

    /// The method of a query. The parameters of the condition become parameters of the method, in
    /// the order of their first occurrence.
    private func layer(_ query: QueryDeclaration, isSeparated: Bool) -> FinderLayer {
        var checker = ConditionChecker(context)
        let condition = query.condition.flatMap { checker.check($0) }
        let parameters = checker.parameters
        let types = TypeTranslator(scope: scope)
        let words = query.searchedParameter
        let searched = words.map { ["\(Naming.parameter($0)): String"] } ?? []
        let list =
            searched + parameters.map { "\(Naming.parameter($0.name)): \(types.swift($0.type))" }
        return FinderLayer(
            isSeparated: isSeparated,
            documentation: (query.doc.map(Prose.documentation) ?? documentation(query)).block(4),
            attributes: availability(query, condition),
            signature: "\(Naming.escaped(query.name.value))(\(list.joined(separator: ", ")))"
                + " async throws -> [\(OutputNames.own(name))]",
            body: body(
                query, condition, Set(parameters.map(\.name) + [words].compactMap(\.self))
            ).block(8))
    }

    /// The availability of a query. A query that refers to a deprecated field is deprecated, too.
    private func availability(_ query: QueryDeclaration, _ condition: CheckedCondition?) -> [String]
    {
        if query.deprecated != nil { return Prose.availability(query.deprecated) }
        let order = query.sort.compactMap { value($0) }
        let named = (condition?.fields ?? []).flatMap(\.path) + order.flatMap(\.fields)
        let relations = condition?.relations ?? []
        let isDeprecated =
            (named + relations.flatMap(\.references)).contains { $0.deprecated != nil }
            || (relations.map(\.relation) + order.compactMap(\.relation))
                .contains { $0.deprecated != nil }
        return isDeprecated ? ["@available(*, deprecated)"] : []
    }

    /// The value of a sort key. A key with a problem has none; it is reported elsewhere.
    private func value(_ key: SortKey) -> CheckedOrder? {
        if key.isPath { return try? context.order(key) }
        return context.fields[key.field.value].map { field in
            .field(
                ConditionField(
                    path: [field], properties: [scope.property(of: field)], type: field.type.value,
                    range: 0..<0))
        }
    }

    // MARK: The body

    /// The statements of a query: a single expression if it fits on a line, otherwise a query
    /// variable with one step per line.
    private func body(
        _ query: QueryDeclaration, _ condition: CheckedCondition?, _ parameters: Set<String>
    ) -> [String] {
        let method = query.searchedParameter == nil ? "fetch" : "search"
        let fetch = parameters.contains(method) ? "self.\(method)" : method
        let plain = ConditionTranslator(scope: scope, root: "$0")
        let code = condition.map { plain.conjuncts($0).map(\.grouped) } ?? []
        var steps = Self.groups(code).map { group in ".where { \(Self.joined(group).line) }" }
        steps += order(query)
        let isAll = steps.isEmpty
        if isAll { steps = [".all"] }
        func call(_ request: String?) -> String {
            "try await \(fetch)(\(arguments(query, request).joined(separator: ", ")))"
        }
        let line = call(isAll && query.searchedParameter != nil ? nil : steps.joined())
        if line.count + 8 < LineBreaker.width, steps.count < 3 { return [line] }
        let variable = Self.free(["query", "request", "query_"], parameters)
        return ["let \(variable) = \(scope.names.qualified("Query"))<\(OutputNames.own(name))>"]
            + longSteps(condition, parameters)
            + order(query).map { "    " + $0 } + ["return \(call(variable))"]
    }

    /// The arguments of a call of `fetch` or `search`.
    ///
    /// - Parameter request: the query; nil for the one over all records.
    private func arguments(_ query: QueryDeclaration, _ request: String?) -> [String] {
        guard let words = query.searchedParameter else { return [request].compactMap(\.self) }
        let matching = query.matching?.value == .any ? "matching: .any" : nil
        return [Naming.localName(words), request, matching].compactMap(\.self)
    }

    /// The `where` steps on separate lines. A condition that does not fit on one line uses a
    /// closure with a named parameter.
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
            // Line lengths include the indentation of the method's body, which the template adds.
            let inside = Self.joined(long).lines(16).map { String($0.dropFirst(8)) }
            return ["    .where { \(root) in"] + inside + ["    }"]
        }
    }

    /// Returns the first name that is not taken, with underscores appended if all are.
    private static func free(_ names: [String], _ taken: Set<String>) -> String {
        var name = names.first { !taken.contains($0) } ?? "record_"
        while taken.contains(name) { name += "_" }
        return name
    }

    /// The steps after the conditions: sort order, limit, and permission for full scans.
    private func order(_ query: QueryDeclaration) -> [String] {
        let keys = query.sort.compactMap { key in
            value(key).map { value in
                let path = value.properties.map(Naming.escaped).joined(separator: ".")
                return ".sorted(by: \\.\(path)\(key.descending ? ", .descending" : ""))"
            }
        }
        let limit = query.limit.map { [".limit(\($0))"] } ?? []
        let steps = keys + limit
        // A query for all records needs no permission for a full scan.
        let isBounded = query.condition != nil || !steps.isEmpty
        let scan = query.allowsFullScan?.value == true && isBounded
        return steps + (scan ? [".allowingFullScan()"] : [])
    }

    /// Splits conditions into groups of at most ``mostComparisons`` comparisons. Each group becomes
    /// a `where` step, so that the expressions that the compiler type-checks stay small.
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

    /// The maximum number of comparisons in one `where` step.
    private static let mostComparisons = 4

    /// Joins conditions with `&&`.
    private static func joined(_ parts: [ConditionCode]) -> ConditionCode {
        parts.count == 1 ? parts[0] : .joined("&&", parts)
    }

    // MARK: The documentation

    /// The generated doc comment: the condition, the sort order and the limit.
    private func documentation(_ query: QueryDeclaration) -> [String] {
        var text =
            query.searchedParameter == nil
            ? "All \(Prose.plural(name))" : "The \(Prose.plural(name))"
        if let condition = query.condition {
            let words = condition.text.split(whereSeparator: \.isWhitespace)
            text = "The \(Prose.plural(name)) where `\(words.joined(separator: " "))`"
        }
        if let words = query.searchedParameter {
            let local = Naming.localName(words)
            text += query.condition == nil ? " in which " : ", in which "
            text +=
                query.matching?.value == .any
                ? "a word of `\(local)` is found" : "all words of `\(local)` are found"
            return Prose.documentation(
                Prose.wrapped("\(text), best first\(limit(query)).", LineBreaker.width - 8))
        }
        let keys = query.sort.compactMap { key in
            value(key).map { value in
                let name = key.isPath ? key.field.value : value.properties[0]
                return (key.descending ? "descending " : "") + "`\(name)`"
            }
        }
        text += keys.isEmpty ? ", in id order" : ", by " + keys.joined(separator: ", then ")
        return Prose.documentation(
            Prose.wrapped("\(text)\(limit(query)).", LineBreaker.width - 8))
    }

    private func limit(_ query: QueryDeclaration) -> String {
        query.limit.map { "; at most \($0)" } ?? ""
    }
}

extension QueryDeclaration {
    /// The name of the parameter whose words are searched for; nil if there is none, or it is not
    /// written as a parameter, which is reported elsewhere.
    var searchedParameter: String? {
        guard let text = search?.value, text.hasPrefix("$") else { return nil }
        let name = String(text.dropFirst())
        return Naming.isIdentifier(name) ? name : nil
    }
}

extension CheckedCondition {
    /// All fields in the condition.
    var fields: [ConditionField] {
        switch self {
        case .all(let parts), .any(let parts): parts.flatMap(\.fields)
        case .not(let inner): inner.fields
        case .compare(let field, _, _), .isIn(let field, _), .isInParameter(let field, _),
            .function(_, let field, _), .isNull(let field):
            [field]
        case .compareFields(let field, _, let other): [field, other]
        case .related(_, _, let condition): condition.fields
        case .count: []
        }
    }

    /// The relations in the condition.
    var relations: [ConditionRelation] {
        switch self {
        case .all(let parts), .any(let parts): parts.flatMap(\.relations)
        case .not(let inner): inner.relations
        case .related(_, let relation, let condition): [relation] + condition.relations
        case .count(let relation, _, _): [relation]
        case .compare, .compareFields, .isIn, .isInParameter, .function, .isNull: []
        }
    }
}
