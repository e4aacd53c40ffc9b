package import RepositoryRuntime

/// Collects what does not fit between the file of another database and a schema, and which types
/// and properties of the file are taken.
package struct MappingUse: Sendable {
    /// The key of the database in `from`, such as `realm`.
    private let database: String
    /// What does not fit.
    package private(set) var problems: [MappingProblem] = []
    /// The properties that fields take, by the types from which anything is taken.
    private var used: [String: Set<String>] = [:]

    /// Collects for a database.
    package init(_ database: String) { self.database = database }

    /// Adds a problem.
    package mutating func add(
        _ kind: MappingProblem.Kind, _ table: String, field: String? = nil, _ message: String,
        isFatal: Bool = false
    ) {
        problems.append(
            MappingProblem(kind, table: table, field: field, message, isFatal: isFatal))
    }

    /// Returns what an entity is taken from; nil, with a problem, if nothing says it.
    package mutating func source(of table: EntityTable) -> TableSource? {
        if let source = table.sources[database] { return source }
        add(
            .missingTable, table.name,
            "\(table.entity) has no 'from: { \(database): … }', so that nothing is read for it.")
        return nil
    }

    /// Notes that something is taken from a type: a property of it, if one is given.
    package mutating func take(_ type: String, _ property: String? = nil) {
        used[type, default: []].formUnion(property.map { [$0] } ?? [])
    }

    /// Reports a type from which nothing is taken, or the properties that no field takes.
    ///
    /// - Parameters:
    ///   - type: the name of the type.
    ///   - properties: the names of its properties that have values of the app.
    ///   - message: the sentence about a type from which nothing is taken.
    package mutating func reportUnused(
        _ type: String, _ properties: [String], _ message: String
    ) {
        guard let taken = used[type] else { return add(.unusedTable, type, message) }
        for property in properties where !taken.contains(property) {
            add(
                .unusedProperty, type, field: property,
                "No field is taken from '\(type).\(property)'.")
        }
    }
}
