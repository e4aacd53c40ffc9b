internal import RepositorySchema

/// Creates the finders of a repository: one method per index without a condition, and one for the
/// first component of a composite id.
///
/// For the index `{ fields: [title, -updatedAt] }`, the output contains:
///
/// ```swift
/// /// The books of this `title`, by descending `updatedAt`.
/// nonisolated(nonsending) public func findAll(title: String) async throws -> [Book] {
///     try await find(index: 2, [StoredValue(encoding: title)])
/// }
/// ```
///
/// A finder of a unique index is called `find` and returns an optional.
struct FinderTranslator {
    /// The name of the entity.
    let entity: String
    /// The first component of a composite id. Nil for an id of one field.
    let firstComponent: TranslatedField?
    /// The indexes that cover all records.
    private let indexes: [TranslatedIndex]
    /// The scope in which types are resolved.
    let scope: SchemaScope

    /// Creates the translator of an entity's finders.
    ///
    /// - Parameter key: The fields of the id, in its order.
    init(
        entity: String, key: [TranslatedField], indexes: [TranslatedIndex], scope: SchemaScope
    ) {
        self.entity = entity
        firstComponent = key.count > 1 ? key.first : nil
        // A lookup in a partial index would miss the records that it does not cover.
        self.indexes = indexes.filter { $0.condition == nil }
        self.scope = scope
    }

    /// The finders in the order of their indexes. Finders with the same parameters would collide: a
    /// unique index takes precedence, then the first index.
    var layers: [FinderLayer] {
        var chosen: [[String]: TranslatedIndex] = [:]
        for index in indexes {
            let labels = parameters(of: index).map(\.argument)
            if let other = chosen[labels], other.isUnique || !index.isUnique { continue }
            chosen[labels] = index
        }
        let kept = indexes.filter { index in
            chosen[parameters(of: index).map(\.argument)]?.position == index.position
        }
        let byIndex = kept.enumerated().map { layer($1, isSeparated: $0 > 0) }
        guard let component = firstComponent, chosen[[component.name]] == nil else {
            return byIndex
        }
        return byIndex + [layer(ofComponent: component, isSeparated: !byIndex.isEmpty)]
    }

    /// The finder of the records whose id starts with a component. It runs a query on the
    /// component.
    private func layer(ofComponent field: TranslatedField, isSeparated: Bool) -> FinderLayer {
        let type = TypeTranslator(scope: scope).swift(field.declaration.type.value)
        let record = OutputNames.own(entity)
        let fetch = field.name == "fetch" ? "self.fetch" : "fetch"
        let step = ".where { $0.\(Naming.escaped(field.name)) == \(field.local) }"
        let line = "try await \(fetch)(\(step))"
        let variable = field.name == "query" ? "request" : "query"
        let lines =
            line.count + 8 <= LineBreaker.width
            ? [line]
            : [
                "let \(variable) = \(scope.names.qualified("Query"))<\(record)>",
                "    \(step)", "return try await \(fetch)(\(variable))",
            ]
        return FinderLayer(
            isSeparated: isSeparated,
            documentation:
                "/// The \(Prose.plural(entity)) of this `\(field.name)`, in id order.",
            attributes: field.isDeprecated ? ["@available(*, deprecated)"] : [],
            signature: "findAll(\(field.parameter): \(type)) async throws -> [\(record)]",
            body: lines.block(8))
    }

    /// The parameters of a finder. A unique index has all of its fields as parameters. Any other
    /// index has its leading ascending fields, but at least one; the remaining fields determine the
    /// order of the results.
    private func parameters(of index: TranslatedIndex) -> [TranslatedIndexKey] {
        guard !index.isUnique else { return index.keys }
        let leading = index.keys.prefix { !$0.descending }
        return Array(leading.isEmpty ? index.keys.prefix(1) : leading)
    }

    /// The finder of an index.
    private func layer(_ index: TranslatedIndex, isSeparated: Bool) -> FinderLayer {
        let parameters = parameters(of: index)
        let types = TypeTranslator(scope: scope)
        let list = parameters.map { key in
            let field = key.field
            let type =
                field.isSingleID
                ? "\(OutputNames.own(entity)).ID"
                : types.swift(field.declaration.type.value.unwrapped)
            return "\(Naming.parameter(key.argument)): \(type)"
        }
        let name = index.isUnique ? "find" : "findAll"
        let record = OutputNames.own(entity)
        let result = index.isUnique ? "\(record)?" : "[\(record)]"
        let values = parameters.map {
            "\(scope.names.qualified("StoredValue"))(encoding: \(value($0)))"
        }
        let hidesFind = parameters.contains { $0.argument == "find" }
        let call =
            "\(hidesFind ? "self." : "")find(index: \(index.position), [\(values.joined(separator: ", "))])"
        let isDeprecated = parameters.contains { $0.path.contains(where: \.isDeprecated) }
        return FinderLayer(
            isSeparated: isSeparated, documentation: documentation(index, parameters),
            attributes: isDeprecated ? ["@available(*, deprecated)"] : [],
            signature: "\(name)(\(list.joined(separator: ", "))) async throws -> \(result)",
            body: "try await " + call + (index.isUnique ? ".first" : ""))
    }

    /// The expression of an argument. Dates are rounded to the stored precision, so that they
    /// compare equal to stored dates.
    private func value(_ key: TranslatedIndexKey) -> String {
        let local = Naming.localName(key.argument)
        let isDate = key.field.declaration.type.value.unwrapped == .base(.date)
        return isDate ? "\(scope.names.qualified("StoredDate")).rounded(\(local))" : local
    }

    /// The doc comment of a finder, including the order of its results.
    private func documentation(
        _ index: TranslatedIndex, _ parameters: [TranslatedIndexKey]
    ) -> String {
        let names = parameters.map { "`\($0.name)`" }
        let list =
            names.count < 2
            ? names.joined()
            : names.dropLast().joined(separator: ", ") + " and " + (names.last ?? "")
        let these = names.count < 2 ? "this" : "these"
        if index.isUnique { return "/// The \(Prose.noun(entity)) of \(these) \(list), or nil." }
        let rest = index.keys.dropFirst(parameters.count).map { key in
            (key.descending ? "descending " : "") + "`\(key.name)`"
        }
        let order = rest.isEmpty ? "in id order" : "by " + rest.joined(separator: ", then ")
        return "/// The \(Prose.plural(entity)) of \(these) \(list), \(order)."
    }
}
