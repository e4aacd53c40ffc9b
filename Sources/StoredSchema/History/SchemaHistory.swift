/// The released versions of a schema, with what each of them changed in stored data, up to the schema
/// of the program.
///
/// Generated sets contain it as JSON, so that it costs the compiler nothing but the text.
package struct SchemaHistory: Sendable, Hashable, Codable {
    /// The released versions without gaps, oldest first: from the oldest whose data is still read
    /// to the last one.
    package var versions: [SchemaVersion]
    /// The versions that reached data without a release.
    package var sides: [SideVersion]
    /// What the schema of the program has changed since the last version; nil if it is the last
    /// version.
    package var unreleased: [DataChange]?

    /// Creates a history.
    package init(
        versions: [SchemaVersion] = [], sides: [SideVersion] = [],
        unreleased: [DataChange]? = nil
    ) {
        self.versions = versions
        self.sides = sides
        self.unreleased = unreleased
    }

    /// The number of the last version; 0 if none has been released.
    package var lastNumber: Int { versions.last?.number ?? 0 }

    /// Returns the version with a number.
    package func version(_ number: Int) -> SchemaVersion? {
        versions.first { $0.number == number }
    }

    /// Returns the changes from a version to the schema of the program, with the number of the
    /// version that each of them belongs to. The unreleased ones belong to the next number.
    package func changes(after number: Int) -> [(number: Int, changes: [DataChange])] {
        let released = versions.filter { $0.number > number }.map { ($0.number, $0.changes) }
        return released + (unreleased.map { [(lastNumber + 1, $0)] } ?? [])
    }
}

/// A released version of a schema.
package struct SchemaVersion: Sendable, Hashable, Codable {
    /// The number.
    package var number: Int
    /// The hash in the first line of its file: 64 hexadecimal digits.
    package var hash: String
    /// What identifies data of the version that has no version number.
    package var identity: SchemaIdentity
    /// What the version changed in data of the version before; empty for the oldest one.
    package var changes: [DataChange]

    /// Creates a version.
    package init(number: Int, hash: String, identity: SchemaIdentity, changes: [DataChange]) {
        self.number = number
        self.hash = hash
        self.identity = identity
        self.changes = changes
    }
}

/// A version that reached data without a release.
package struct SideVersion: Sendable, Hashable, Codable {
    /// The name.
    package var name: String
    /// What identifies its data.
    package var identity: SchemaIdentity

    /// Creates a version.
    package init(name: String, identity: SchemaIdentity) {
        self.name = name
        self.identity = identity
    }
}

/// The hashes of a schema. Two schemas with equal hashes have the same stored data.
package struct SchemaIdentity: Sendable, Hashable, Codable {
    /// The fingerprint in stores of documents.
    package var documents: String
    /// The fingerprint in stores with columns.
    package var columns: String
    /// The digest of the enum and union cases; see ``SchemaDescription/casesDigest(of:)``.
    package var cases: String

    /// Creates an identity.
    package init(documents: String, columns: String, cases: String) {
        self.documents = documents
        self.columns = columns
        self.cases = cases
    }

    /// Returns the fingerprint in a store.
    package func fingerprint(_ form: SchemaComparison.Form) -> String {
        form == .documents ? documents : columns
    }
}
