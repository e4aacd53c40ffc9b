/// The choice of a type.
///
/// The declared type proposes, all values of the column decide. A single value that a type does not
/// describe rules it out.
extension TypeGuess {
    /// Guesses the type of a column.
    ///
    /// - Parameters:
    ///   - column: the column.
    ///   - facts: what its values have in common.
    ///   - isKey: whether the column is part of a key or of a foreign key.
    init(_ column: TableShape.Column, _ facts: ColumnFacts, isKey: Bool) {
        let guesser = ColumnTypeGuesser(column, facts, isKey: isKey)
        let guess = facts.count == 0 ? guesser.withoutValues : guesser.withValues
        // Bytes and texts in other encodings are no text.
        let isText = facts.blobs == 0 && facts.invalidTexts == 0
        self =
            guess.type == nil && isText
            ? TypeGuess(type: .anyText, evidence: guess.evidence) : guess
    }
}

/// Guesses the type of one column.
private struct ColumnTypeGuesser {
    private let facts: ColumnFacts
    private let declared: DeclaredType
    private let affinity: Affinity
    private let isKey: Bool
    /// Whether Core Data declares dates so: its columns begin with `Z`.
    private let isCoreDataDate: Bool

    init(_ column: TableShape.Column, _ facts: ColumnFacts, isKey: Bool) {
        self.facts = facts
        declared = DeclaredType(column.type)
        affinity = Affinity(declaredType: column.type)
        isCoreDataDate = column.name.hasPrefix("Z") && column.type.uppercased() == "TIMESTAMP"
        self.isKey = isKey || ["uuid", "guid"].contains { column.name.lowercased().contains($0) }
    }

    /// The type of a column without values: that of its declaration.
    var withoutValues: TypeGuess {
        let words = declared.text.isEmpty ? "no type" : declared.shown
        let type: GuessedType? =
            switch declared.meaning {
            case .bool: .bool
            case .date: .date(form: isCoreDataDate ? "secondsSince2001" : "text")
            case .day: .localDate
            case .decimal(let scale): scale == 0 ? .int : .decimal(scale: scale, form: "real")
            case .uuid where affinity == .none: .uuid(form: "blob")
            case .uuid, .other:
                switch affinity {
                case .integer: .int
                case .text: .string
                case .real: .double
                case .none: declared.text.isEmpty ? nil : .data
                case .numeric: declared.meaning == .uuid ? .uuid(form: nil) : nil
                }
            }
        guard let type else {
            return TypeGuess(
                type: nil,
                evidence: "no values, and declared with \(words), which says nothing about them")
        }
        return TypeGuess(type: type, evidence: "no values; declared with \(words)")
    }

    /// The type of a column with values.
    var withValues: TypeGuess {
        guard facts.classes == 1 || facts.texts + facts.blobs == 0 else {
            let parts = [
                (facts.integers, "integer"), (facts.reals, "real number"), (facts.texts, "text"),
                (facts.blobs, "blob"),
            ].filter { $0.0 > 0 }.map { Count.text($0.0, $0.1) }
            return TypeGuess(type: nil, evidence: "values of several kinds: " + Count.list(parts))
        }
        if facts.texts > 0 { return texts }
        if facts.blobs > 0 { return blobs }
        return numbers
    }

    private var texts: TypeGuess {
        let count = Count.text(facts.texts, "text")
        guard facts.invalidTexts == 0 else {
            return TypeGuess(
                type: nil,
                evidence: "\(count), of which \(facts.invalidTexts) not in UTF-8"
            )
        }
        let like = facts.example.map { " like " + SQLText.shown($0) } ?? ""
        if facts.areUpperUUIDs {
            return TypeGuess(type: .uuid(form: nil), evidence: count + like)
        }
        if facts.areLowerUUIDs {
            return TypeGuess(type: .uuid(form: "lowercaseText"), evidence: count + like)
        }
        if facts.areDates, !facts.dateForms.contains(.zoned) {
            if facts.dateForms == [.day] {
                return TypeGuess(type: .localDate, evidence: count + like)
            }
            let isWrittenSo = facts.dateForm != "text" || facts.dateForms == [.fraction]
            let note =
                isWrittenSo ? "" : "; new values are written like \"2026-11-22 15:28:50.000\""
            return TypeGuess(type: .date(form: facts.dateForm), evidence: count + like + note)
        }
        guard affinity == .text || affinity == .none else {
            return TypeGuess(
                type: nil,
                evidence: "\(count), but declared with \(declared.shown), "
                    + "which makes numbers of texts that look like numbers"
            )
        }
        let zone = facts.areDates ? " with time zones" : ""
        return TypeGuess(type: .string, evidence: zone.isEmpty ? count : count + zone + like)
    }

    private var blobs: TypeGuess {
        let count = Count.text(facts.blobs, "blob")
        guard facts.areUUIDBlobs, isKey || declared.meaning == .uuid else {
            return TypeGuess(type: .data, evidence: count)
        }
        return TypeGuess(
            type: .uuid(form: "blob"), evidence: "\(count) of 16 bytes with the marks of a UUID")
    }

    private var numbers: TypeGuess {
        let count =
            facts.reals == 0
            ? Count.text(facts.integers, "integer") : Count.text(facts.count, "number")
        guard affinity != .text else {
            return TypeGuess(type: nil, evidence: "\(count) in a column of text")
        }
        let range =
            facts.reals == 0 && facts.integers > 0
            ? " from \(facts.minimum) to \(facts.maximum)" : ""
        switch declared.meaning {
        case .bool where facts.reals == 0 && facts.minimum >= 0 && facts.maximum <= 1:
            return TypeGuess(
                type: .bool, evidence: "\(count), all 0 or 1; declared with \(declared.shown)")
        case .date where isCoreDataDate && !facts.hasInfinity:
            return TypeGuess(
                type: .date(form: "secondsSince2001"),
                evidence: "\(count); declared with \(declared.shown) as Core Data does")
        case .date where facts.reals == 0, .day where facts.reals == 0:
            return dates(of: count + range)
        case .date:
            if let guess = realDates(of: count) { return guess }
        case .decimal(let scale) where scale != 0 || facts.reals > 0:
            if let guess = decimals(scale, of: count) { return guess }
        default: break
        }
        if facts.reals == 0 { return TypeGuess(type: .int, evidence: count) }
        let limit = ColumnFacts.exactInteger
        guard facts.integers == 0 || facts.minimum >= -limit && facts.maximum <= limit else {
            return TypeGuess(
                type: nil,
                evidence: "\(count), some of them integers that no floating-point number holds")
        }
        return TypeGuess(type: .double, evidence: count)
    }

    /// Numbers in a column that is declared as a date.
    private func dates(of count: String) -> TypeGuess {
        let evidence = "\(count); declared with \(declared.shown)"
        let magnitude = max(facts.maximum.magnitude, facts.minimum.magnitude)
        if magnitude < 100_000_000_000 {
            return TypeGuess(type: .date(form: "integer"), evidence: evidence + ", so seconds")
        }
        if magnitude >= 100_000_000_000_000, facts.minimum >= 0 {
            return TypeGuess(type: .date(form: nil), evidence: evidence + ", so microseconds")
        }
        if magnitude < 100_000_000_000_000 {
            return TypeGuess(
                type: .date(form: "milliseconds"), evidence: evidence + ", so milliseconds")
        }
        return TypeGuess(type: .int, evidence: evidence + ", perhaps a date")
    }

    /// Real numbers in a column that is declared as a date; `nil` if they may be something else.
    private func realDates(of count: String) -> TypeGuess? {
        guard !facts.hasInfinity else { return nil }
        let least =
            facts.integers > 0 ? min(facts.leastReal, Double(facts.minimum)) : facts.leastReal
        let greatest =
            facts.integers > 0 ? max(facts.greatestReal, Double(facts.maximum)) : facts.greatestReal
        let evidence = "\(count); declared with \(declared.shown)"
        // From the year 1800 to the year 2200.
        if least > 2_378_496, greatest < 2_524_593 {
            return TypeGuess(
                type: .date(form: "julianDay"), evidence: evidence + ", so Julian days")
        }
        // From the year 2001: seconds since 2001 would be in the years after 2032.
        if least >= 1_000_000_000, greatest < 100_000_000_000 {
            return TypeGuess(type: .date(form: "real"), evidence: evidence + ", so seconds")
        }
        return nil
    }

    /// Numbers in a column that is declared as a decimal; `nil` if some are none.
    private func decimals(_ scale: Int?, of count: String) -> TypeGuess? {
        guard !facts.hasInfinity else { return nil }
        let limit = ColumnFacts.exactInteger / 1_000_000
        let isSmall =
            (facts.integers == 0 || facts.minimum > -limit && facts.maximum < limit)
            && (facts.reals == 0
                || facts.leastReal > -Double(limit)
                    && facts.greatestReal < Double(limit))
        guard isSmall else { return nil }
        guard let scale else {
            return TypeGuess(
                type: .decimal(scale: nil, form: "real"),
                evidence: "\(count); declared with \(declared.shown)")
        }
        guard facts.digits <= min(scale, ColumnFacts.mostDigits) else {
            return TypeGuess(
                type: .double,
                evidence: "\(count), some with more digits than \(declared.shown) says")
        }
        return TypeGuess(
            type: .decimal(scale: scale, form: "real"),
            evidence:
                "\(count) with at most \(Count.text(facts.digits, "digit")) behind the point; "
                + "declared with \(declared.shown)"
        )
    }
}

extension ColumnFacts {
    /// The word of `storedAs` for the notations of the texts. `text` reads all notations, and
    /// writes milliseconds.
    fileprivate var dateForm: String {
        guard dateForms.count == 1, let form = dateForms.first else { return "text" }
        return switch form {
        case .seconds: "textSeconds"
        case .iso(digits: 0): "iso8601"
        case .iso(digits: 3): "iso8601Milliseconds"
        case .iso(digits: 6): "iso8601Microseconds"
        case .day, .minutes, .fraction, .iso, .other, .zoned: "text"
        }
    }
}
