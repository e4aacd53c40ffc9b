internal import RepositorySchema

/// The layer of the set's own file.
struct SetTranslator {
    let scope: SchemaScope
    let access: String

    var layer: SetLayer {
        let name = scope.set.settings.name
        return SetLayer(
            access: access, name: name, setName: SwiftLiteral.string(name),
            entities: SwiftLiteral.elements(TableOrder(scope).names.map(metatype)),
            repositories: scope.entities.flatMap(repository))
    }

    private func metatype(_ name: String) -> String {
        guard case .entity(let entity) = scope.declarations[name] else { return name + ".self" }
        // The name of a deprecated type would warn.
        return entity.header.deprecated == nil
            ? OutputNames.own(name) + ".self" : name + "Mapper.Record.self"
    }

    private func repository(_ entity: EntityDeclaration) -> [String] {
        let name = entity.header.name.value
        let property = Naming.escaped(Naming.repositoryPropertyName(for: name))
        return ["/// The \(Prose.plural(name))."] + Prose.availability(entity.header.deprecated)
            + ["\(access)var \(property): \(name)Repository { \(name)Repository(context) }"]
    }
}

/// The entities in an order in which a table stands after those it refers to, where that is possible; otherwise, and
/// within a circle, in the order declared.
struct TableOrder {
    private(set) var names: [String] = []
    private var visited: Set<String> = []

    init(_ scope: SchemaScope) {
        let references = Dictionary(
            scope.entities.map { ($0.header.name.value, Self.references(of: $0, scope)) },
            uniquingKeysWith: { first, _ in first })
        for entity in scope.entities { visit(entity.header.name.value, references) }
    }

    /// Depth first, without recursion: a chain of references may be as long as the schema.
    private mutating func visit(_ name: String, _ references: [String: [String]]) {
        var stack: [(name: String, rest: ArraySlice<String>)] = []
        if visited.insert(name).inserted { stack.append((name, (references[name] ?? [])[...])) }
        while var top = stack.popLast() {
            guard let next = top.rest.popFirst() else {
                names.append(top.name)
                continue
            }
            stack.append(top)
            if visited.insert(next).inserted { stack.append((next, (references[next] ?? [])[...])) }
        }
    }

    private static func references(of entity: EntityDeclaration, _ scope: SchemaScope) -> [String] {
        scope.fields(of: entity).compactMap { scope.singleReference($0)?.header.name.value }
    }
}
