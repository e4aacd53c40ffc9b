extension VersionHistory {
    /// Compares the last version with the present schema; nil if there is no version.
    package var comparison: VersionComparison? {
        comparisons(since: versions.last?.number ?? 0).last
    }

    /// Compares each version from a number on with the next one, and the last one with the present
    /// schema.
    package func comparisons(since number: Int) -> [VersionComparison] {
        versions.indices.filter { versions[$0].number >= number }.map { index in
            VersionComparison(
                from: versions[index].set, number: versions[index].number,
                to: versions.indices.contains(index + 1) ? versions[index + 1].set : present,
                earlier: versions[..<index].map(\.set))
        }
    }
}
