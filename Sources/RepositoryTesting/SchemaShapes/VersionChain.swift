internal import Foundation
package import RepositoryRuntime
package import StoredSchema

/// The released versions of a set, written by hand.
package struct VersionChain: Sendable {
    /// The versions.
    package private(set) var history = SchemaHistory()
    /// The name of the set.
    private let name: String

    /// Creates a chain without versions.
    package init(_ name: String = "Versions") { self.name = name }

    /// Adds a version with the entities of a schema.
    package mutating func release(_ entities: [any Entity.Type], _ changes: [DataChange] = []) {
        let number = history.lastNumber + 1
        var version = SchemaVersion(
            number: number, hash: "hash of \(number)", identity: Self.identity(entities),
            changes: changes)
        version.record(
            DeclaredSchema.of(StoreSchema("Versions", entities), .columns).sortedTables,
            after: history.tables(of: history.lastNumber))
        history.versions.append(version)
    }

    /// Adds a version that reached data without a release.
    package mutating func escape(_ entities: [any Entity.Type]) {
        history.sides.append(SideVersion(name: "escaped", identity: Self.identity(entities)))
    }

    /// Returns the identity of the data of a schema.
    package static func identity(_ entities: [any Entity.Type]) -> SchemaIdentity {
        let schema = StoreSchema("Versions", entities)
        let documents = DeclaredSchema.of(schema, .documents)
        return SchemaIdentity(
            documents: documents.fingerprint,
            columns: DeclaredSchema.of(schema, .columns).fingerprint, cases: documents.casesDigest)
    }

    /// Returns the schema of a program with the versions so far.
    package func schema(
        _ entities: [any Entity.Type], unreleased: [DataChange]? = nil,
        functions: [String: MigrationFunction] = [:],
        tables: [String: MigrationTablesFunction] = [:]
    ) throws -> StoreSchema {
        var history = history
        history.unreleased = unreleased
        let text = String(decoding: try JSONEncoder().encode(history), as: UTF8.self)
        return StoreSchema(
            name, entities, history: [text],
            functions: MigrationFunctions(functions, tables: tables))
    }
}
