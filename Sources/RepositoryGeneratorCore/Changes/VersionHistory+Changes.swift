package import RepositorySchema

extension VersionHistory {
    /// Compares the last version with the present schema.
    ///
    /// - Returns: the comparison; nil if there is no version.
    package func comparison(to present: SchemaSet) -> VersionComparison? {
        comparisons(since: versions.last?.number ?? 0, to: present).last
    }

    /// Compares each version from a number on with the next one, and the last one with the present
    /// schema.
    package func comparisons(since number: Int, to present: SchemaSet) -> [VersionComparison] {
        versions.indices.filter { versions[$0].number >= number }.map { index in
            VersionComparison(
                from: versions[index].set, number: versions[index].number,
                to: versions.indices.contains(index + 1) ? versions[index + 1].set : present,
                earlier: versions[..<index].map(\.set))
        }
    }
}
