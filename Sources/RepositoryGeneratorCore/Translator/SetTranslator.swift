internal import RepositorySchema

/// Creates the layer of the set's own file.
///
/// It contains the list of entities for the store, and one property per repository.
struct SetTranslator {
    /// The access level with a trailing space, or an empty string.
    let scope: SchemaScope
    let access: String
    /// The parts of the JSON of the released versions; empty if there are none.
    var history: [String] = []
    /// Whether a version needs functions of the program.
    var needsFunctions = false

    /// The layer of the file.
    var layer: SetLayer {
        let name = scope.set.settings.name
        return SetLayer(
            access: access, name: name, setName: SwiftLiteral.string(name),
            entities: SwiftLiteral.elements(TableOrder(scope).names.map(metatype)),
            history: SwiftLiteral.elements(history.map(SwiftLiteral.string)),
            functions: needsFunctions
                ? scope.set.settings.migrations.map { "functions(of: \($0.value)())" } : nil,
            repositories: scope.entities.flatMap(repository))
    }

    /// The metatype of an entity.
    private func metatype(_ name: String) -> String {
        guard case .entity(let entity) = scope.declarations[name] else { return name + ".self" }
        // A reference to a deprecated type by name would cause a warning.
        return entity.header.deprecated == nil
            ? OutputNames.own(name) + ".self" : name + "Mapper.Record.self"
    }

    /// The lines of the property that returns the repository of an entity.
    private func repository(_ entity: EntityDeclaration) -> [String] {
        let name = entity.header.name.value
        let property = Naming.escaped(Naming.repositoryPropertyName(for: name))
        return ["/// The \(Prose.plural(name))."] + Prose.availability(entity.header.deprecated)
            + ["\(access)var \(property): \(name)Repository { \(name)Repository(context) }"]
    }
}

/// The entities of a set, ordered so that a table follows the tables that it refers to.
///
/// Within a cycle, and apart from references, entities keep the order of their declarations.
///
/// ``SetTranslator`` lists the entities of the set in this order.
struct TableOrder {
    /// The names of the entities in order.
    private(set) var names: [String] = []
    /// The names on the stack or already in `names`.
    private var visited: Set<String> = []

    /// Computes the order, in time linear in the number of references.
    init(_ scope: SchemaScope) {
        let references = Dictionary(
            scope.entities.map { ($0.header.name.value, Self.references(of: $0, scope)) },
            uniquingKeysWith: { first, _ in first })
        for entity in scope.entities { visit(entity.header.name.value, references) }
    }

    /// Visits the references depth first. The stack is explicit, because a chain of references can
    /// be as long as the schema.
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

    /// The entities that an entity refers to.
    private static func references(of entity: EntityDeclaration, _ scope: SchemaScope) -> [String] {
        scope.fields(of: entity).compactMap { scope.singleReference($0)?.header.name.value }
    }
}
