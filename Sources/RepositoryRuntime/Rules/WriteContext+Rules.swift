public import Foundation

extension WriteContext {
    /// Rounds a date to the precision of the write: microseconds, seconds, or that of the field's
    /// form.
    ///
    /// - Throws: `invalidItem` if the date cannot be represented as a 64-bit number of
    ///   microseconds, or in the field's form.
    public func rounded(_ value: Date) throws -> Date {
        guard StoredDate.canStore(value) else {
            try report(.storable, nil, "is a date out of range")
            return value
        }
        let rounded = StoredDate.rounded(value, toSeconds: roundsToSeconds)
        guard let dateForm else { return rounded }
        guard let result = dateForm.rounded(rounded) else {
            try report(.storable, nil, "is a date outside of \(dateForm.range)")
            return value
        }
        return result
    }

    /// Rounds a decimal half to even to `scale` fraction digits.
    ///
    /// - Throws: `invalidItem` for NaN, and if the value × 10ˢᶜᵃˡᵉ does not fit into 64 bits.
    public func rounded(_ value: Decimal, scale: Int, _ field: String) throws -> Decimal {
        guard let rounded = StoredDecimal.rounded(value, scale: scale) else {
            try report(
                .storable, field,
                "is out of the range of a decimal with \(scale) digits after the point")
            return value
        }
        return rounded
    }

    /// Rounds an optional decimal. Null stays null.
    public func rounded(_ value: Decimal?, scale: Int, _ field: String) throws -> Decimal? {
        try value.map { try rounded($0, scale: scale, field) }
    }

    /// Checks that a number or date lies within bounds, either of which may be nil. Null is valid.
    ///
    /// - Throws: `invalidItem` with the name of the field.
    public func check<V: Comparable>(
        _ value: V?, _ field: String, minimum: V? = nil, maximum: V? = nil
    ) throws {
        guard let value else { return }
        if let minimum, value < minimum {
            try report(.minimum, field, "must be at least \(minimum)")
        }
        if let maximum, value > maximum {
            try report(.maximum, field, "must be at most \(maximum)")
        }
    }

    /// Checks the number of Unicode scalars of a string.
    public func checkLength(
        _ value: String?, _ field: String, minimum: Int? = nil, maximum: Int? = nil
    ) throws {
        guard let value else { return }
        try checkCount(value.unicodeScalars.count, "character", field, minimum, maximum)
    }

    /// Checks the number of elements of a list.
    public func checkLength<V>(
        _ value: [V]?, _ field: String, minimum: Int? = nil, maximum: Int? = nil
    ) throws {
        guard let value else { return }
        try checkCount(value.count, "element", field, minimum, maximum)
    }

    /// Checks the number of bytes of data.
    public func checkLength(
        _ value: Data?, _ field: String, minimum: Int? = nil, maximum: Int? = nil
    ) throws {
        guard let value else { return }
        try checkCount(value.count, "byte", field, minimum, maximum)
    }

    /// Checks that a pattern matches the whole string.
    ///
    /// Null is valid.
    ///
    /// - Throws: `invalidItem` with the name of the field.
    public func check(_ value: String?, _ field: String, matches pattern: TextPattern) throws {
        guard let value, !pattern.matches(value) else { return }
        try report(.pattern, field, "must match \(pattern.text)")
    }

    /// Checks a count of characters, elements or bytes.
    private func checkCount(
        _ count: Int, _ unit: String, _ field: String, _ minimum: Int?, _ maximum: Int?
    ) throws {
        func text(_ bound: Int) -> String { "\(bound) \(unit)\(bound == 1 ? "" : "s")" }
        if let minimum, count < minimum {
            try report(
                .minLength, field, "must have at least \(text(minimum)), and has \(count)")
        }
        if let maximum, count > maximum {
            try report(
                .maxLength, field, "must have at most \(text(maximum)), and has \(count)")
        }
    }
}
