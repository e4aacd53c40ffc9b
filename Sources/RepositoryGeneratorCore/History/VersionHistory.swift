internal import Foundation
package import RepositorySchema
package import StoredSchema

/// The released versions of a schema with their declarations, from which the code for old data is
/// generated.
package struct VersionHistory: Sendable {
    /// A released version.
    package struct Version: Sendable {
        /// The number.
        package var number: Int
        /// The hash in the first line of its file.
        package var hash: String
        /// The declarations.
        package var set: SchemaSet

        /// Creates a version.
        package init(number: Int, hash: String, set: SchemaSet) {
            self.number = number
            self.hash = hash
            self.set = set
        }
    }

    /// The numbered versions without gaps, oldest first, from the oldest whose data is still read.
    package let versions: [Version]
    /// The side versions, sorted by name.
    package let sides: [(name: String, set: SchemaSet)]
    /// The present schema.
    package let present: SchemaSet
    /// Whether the present schema is the last version.
    package let isReleased: Bool
    /// The successive schemas, from the oldest version to the present one.
    let steps: [VersionStep]

    /// Creates a history, and compares each version with the one before. The cost is linear in the
    /// size of all versions.
    package init(
        versions: [Version], sides: [(name: String, set: SchemaSet)] = [], present: SchemaSet,
        isReleased: Bool
    ) {
        self.versions = versions
        self.sides = sides
        self.present = present
        self.isReleased = isReleased
        var scopes = versions.map { (number: $0.number, scope: SchemaScope($0.set)) }
        if let last = versions.last, !isReleased {
            scopes.append((last.number + 1, SchemaScope(present)))
        }
        steps = scopes.indices.dropFirst().map { index in
            VersionStep(
                from: scopes[index - 1].scope, to: scopes[index].scope,
                number: scopes[index].number, earlier: scopes[..<(index - 1)].map(\.scope.set))
        }
    }

    /// The errors of changes since the last version that stores cannot carry out, and of types with
    /// the names of the types that are generated for old versions.
    ///
    /// All changes must be decided.
    package var problems: [Diagnostic] {
        (isReleased ? [] : steps.last?.problems ?? []) + mixProblems + nameProblems
    }

    /// The error for a new version whose functions over several entities meet new ids in the same
    /// data, in this version or in an earlier one.
    private var mixProblems: [Diagnostic] {
        guard !isReleased, steps.dropLast().flatMap(\.changes).idsAmongTables == nil,
            let mix = steps.flatMap(\.changes).idsAmongTables,
            let place = steps.last?.together.first?.decision.range
                ?? present.declarations.first?.header.name.range
        else { return [] }
        return [
            Diagnostic(
                "stores cannot carry out the function '\(mix.function)' and the new ids of "
                    + "'\(mix.table)' in one migration yet",
                at: place,
                help:
                    "write 'oldest' in the settings, so that the supported data needs only one of "
                    + "them",
                rule: .version)
        ]
    }

    private var nameProblems: [Diagnostic] {
        guard steps.contains(where: { !$0.calls.isEmpty }) else { return [] }
        let taken = [
            VersionsTranslator.name(of: present), VersionsTranslator.protocolName(of: present),
        ]
        return present.declarations.map(\.header.name).filter { taken.contains($0.value) }.map {
            Diagnostic(
                "the type '\($0.value)' has the name of a type that is generated for the functions "
                    + "of a migration",
                at: $0.range, help: "rename the type, and keep its data with 'renamedFrom'",
                rule: .version)
        }
    }

    /// The history for the generated code: what identifies data of each version, what each
    /// version changed, and the tables of each version. Unmanaged tables are never migrated, and
    /// their descriptions are left out.
    package var stored: SchemaHistory {
        let changes = Dictionary(
            steps.map { ($0.number, $0.changes) }, uniquingKeysWith: { first, _ in first })
        var earlier: [StoredTable]?
        let described = versions.map { version in
            let (documents, columns) = (
                StoredTables.of(version.set, .documents), StoredTables.of(version.set, .columns)
            )
            var stored = SchemaVersion(
                number: version.number, hash: version.hash,
                identity: SchemaIdentity(documents, columns),
                changes: changes[version.number] ?? [])
            stored.record(columns.sortedTables, after: earlier)
            earlier = columns.sortedTables
            return stored
        }
        return SchemaHistory(
            versions: described,
            sides: sides.map { SideVersion(name: $0.name, identity: SchemaIdentity($0.set)) },
            unreleased: isReleased ? nil : steps.last?.changes ?? [])
    }
}

extension SchemaHistory {
    /// The history as JSON in parts, as generated code contains it. Joined, they are one object.
    /// Each version is a part of its own, so that a release adds lines and changes few.
    package var textParts: [String] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        func text(_ value: some Encodable) -> String {
            // Encoding fails only for numbers that are not finite, which no literal of a schema is.
            guard let data = try? encoder.encode(value) else { return "null" }
            return String(decoding: data, as: UTF8.self)
        }
        var parts = ["{\"versions\":["]
        parts += versions.enumerated().map { ($0 > 0 ? "," : "") + text($1) }
        parts.append("],\"sides\":[")
        parts += sides.enumerated().map { ($0 > 0 ? "," : "") + text($1) }
        if let unreleased {
            parts.append("],\"unreleased\":[")
            parts += unreleased.enumerated().map { ($0 > 0 ? "," : "") + text($1) }
        }
        return parts + ["]}"]
    }
}

extension SchemaIdentity {
    /// Computes the hashes of a schema.
    init(_ set: SchemaSet) {
        self.init(StoredTables.of(set, .documents), StoredTables.of(set, .columns))
    }

    /// Returns the hashes of a schema that is described for both kinds of stores.
    fileprivate init(_ documents: DeclaredSchema, _ columns: DeclaredSchema) {
        self.init(
            documents: documents.fingerprint, columns: columns.fingerprint,
            cases: documents.casesDigest)
    }
}
