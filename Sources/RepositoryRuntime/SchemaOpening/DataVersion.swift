package import StoredSchema

/// Which version of a schema stored data has.
package enum DataVersion: Sendable, Hashable {
    /// A released version.
    case released(Int)
    /// A version that reached data without a release.
    case side(String)
    /// The schema of the program, with what it has changed since the last version.
    case declared
    /// The schema of an unreleased program. The number is that of the version before it, if it is
    /// recorded.
    case unreleased(after: Int?)
}

/// What identifies the version of stored data.
package struct DataVersionMarks: Sendable, Hashable {
    /// The recorded number of the version, if there is one.
    package var number: Int?
    /// The recorded hash of the version.
    package var hash: String?
    /// Whether an unreleased schema has changed the data since.
    package var isUnreleased = false
    /// The fingerprint of the stored tables.
    package var fingerprint: String
    /// The digest of the enum cases; nil if they are unknown.
    package var cases: String?

    /// Describes data.
    package init(
        number: Int? = nil, hash: String? = nil, isUnreleased: Bool = false, fingerprint: String,
        cases: String? = nil
    ) {
        self.number = number
        self.hash = hash
        self.isUnreleased = isUnreleased
        self.fingerprint = fingerprint
        self.cases = cases
    }
}

/// Data whose version this program cannot read or cannot determine.
package enum DataVersionProblem: Error, Sendable, Hashable, CustomStringConvertible {
    /// A newer program wrote the data. The numbers are those of the data and of the program.
    case newer(Int, known: Int)
    /// The version has the number of a known version and another hash.
    case unknownHash(Int)
    /// The version is older than the oldest one that the program reads.
    case older(Int, oldest: Int)
    /// Several versions have the shape of the data, and a step between them would be lost.
    case ambiguous([Int])

    /// The problem as a clause without a final period.
    package var description: String {
        switch self {
        case .newer(let number, let known):
            "it was written by a newer program: the data has version \(number), and this program knows versions up to \(known)"
        case .unknownHash(let number):
            "it was written by a newer program, or by one of another branch: the data has a version \(number) that is not the version \(number) of this program; if another branch released it, record its schemas with 'repository-generator release --side NAME --schemas DIR'"
        case .older(let number, let oldest):
            "the data has version \(number), and this program reads data from version \(oldest) on: open it first with a program that knows both"
        case .ambiguous(let numbers):
            "the data has no version number, and the versions \(numbers.map(String.init).joined(separator: ", ")) all have its shape: open it first with a program of its own version"
        }
    }
}

extension SchemaHistory {
    /// Returns the version of stored data.
    ///
    /// A recorded number decides, unless it is the number of another branch, whose schema is known
    /// as a side version. Without one, the fingerprint and the cases do, because the data was
    /// written before numbers existed. Two versions may have the same shape, if the later one undid
    /// a change; the newest counts, unless a step between them calls a function or drops values.
    ///
    /// - Parameters:
    ///   - data: what is recorded with the data.
    ///   - declared: the fingerprint and cases of the schema of the program.
    ///   - form: how the store stores records.
    /// - Throws: ``DataVersionProblem``.
    package func version(
        of data: DataVersionMarks, declared: DataVersionMarks, form: SchemaComparison.Form
    ) throws(DataVersionProblem) -> DataVersion {
        guard let number = data.number else {
            return try version(shapedAs: data, from: 0, declared, form)
                ?? side(of: data, form) ?? .unreleased(after: nil)
        }
        guard let known = version(number), known.hash == data.hash else {
            if let side = side(of: data, form) { return side }
            if number > lastNumber { throw .newer(number, known: lastNumber) }
            if let oldest = versions.first?.number, number < oldest {
                throw .older(number, oldest: oldest)
            }
            throw .unknownHash(number)
        }
        guard data.isUnreleased else { return .released(number) }
        return try version(shapedAs: data, from: number + 1, declared, form)
            ?? side(of: data, form) ?? .unreleased(after: number)
    }

    /// Returns the version with the shape of the data, of those from a number on; nil if there is
    /// none.
    private func version(
        shapedAs data: DataVersionMarks, from first: Int, _ declared: DataVersionMarks,
        _ form: SchemaComparison.Form
    ) throws(DataVersionProblem) -> DataVersion? {
        var found = versions.filter { $0.number >= first && data.hasShape($0.identity, form) }
            .map(\.number)
        let next = lastNumber + 1
        if unreleased != nil, data.hasShape(of: declared) { found.append(next) }
        guard let newest = found.last else { return nil }
        if let oldest = found.first, oldest < newest {
            let between = changes(after: oldest).filter { $0.number <= newest }.flatMap(\.changes)
            if between.contains(where: { $0.function != nil || $0.dropsData }) {
                throw .ambiguous(found)
            }
        }
        return newest == next ? .declared : .released(newest)
    }

    /// Returns the side version with the shape of the data.
    private func side(of data: DataVersionMarks, _ form: SchemaComparison.Form) -> DataVersion? {
        sides.first { data.hasShape($0.identity, form) }.map { .side($0.name) }
    }
}

extension DataVersionMarks {
    /// Returns whether the data has the shape of a version.
    fileprivate func hasShape(
        _ identity: SchemaIdentity, _ form: SchemaComparison.Form
    ) -> Bool {
        fingerprint == identity.fingerprint(form) && (cases.map { $0 == identity.cases } ?? true)
    }

    /// Returns whether the data has the shape of a declared schema.
    fileprivate func hasShape(of declared: DataVersionMarks) -> Bool {
        fingerprint == declared.fingerprint && (cases.map { $0 == declared.cases } ?? true)
    }
}
