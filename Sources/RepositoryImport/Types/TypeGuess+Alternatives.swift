/// The other types that describe the values of a column.
extension TypeGuess {
    /// Returns the guess, and what a person may choose instead of it.
    ///
    /// Each of the types describes all values. There is one type if nothing can be chosen.
    ///
    /// - Parameters:
    ///   - facts: what the values have in common.
    ///   - affinity: the conversion that SQLite applies to values that are stored.
    func alternatives(_ facts: ColumnFacts, _ affinity: Affinity) -> [GuessedType] {
        guard let type, facts.classes <= 1 else { return type.map { [$0] } ?? [] }
        return [type] + Self.others(facts, affinity).filter { $0 != type }
    }

    private static func others(_ facts: ColumnFacts, _ affinity: Affinity) -> [GuessedType] {
        if facts.texts > 0 {
            // Any other column makes numbers of texts that look like numbers.
            let keepsTexts = affinity == .text || affinity == .none
            return facts.invalidTexts == 0 && keepsTexts ? [.string] : []
        }
        if facts.blobs > 0 { return [.data] + (facts.areUUIDBlobs ? [.uuid(form: "blob")] : []) }
        if facts.integers > 0 {
            let isBool = facts.minimum >= 0 && facts.maximum <= 1
            return [.int] + (isBool ? [.bool] : dates(facts))
        }
        guard facts.reals > 0, !facts.hasInfinity else { return [] }
        let magnitude = max(facts.leastReal.magnitude, facts.greatestReal.magnitude)
        let isDate = magnitude < Double(longestSeconds)
        return [.double] + (isDate ? [.date(form: "real"), .date(form: "secondsSince2001")] : [])
    }

    /// The forms of dates that integers can have.
    private static func dates(_ facts: ColumnFacts) -> [GuessedType] {
        let magnitude = max(facts.minimum.magnitude, facts.maximum.magnitude)
        var forms: [GuessedType] = []
        if magnitude < longestSeconds { forms.append(.date(form: "integer")) }
        if magnitude < longestSeconds * 1_000 { forms.append(.date(form: "milliseconds")) }
        if magnitude < longestSeconds * 1_000_000 { forms.append(.date(form: nil)) }
        return forms
    }

    /// The number of seconds before which a date can lie: about 3,000 years.
    private static let longestSeconds: UInt64 = 100_000_000_000
}
