internal import Foundation

/// One thing that a statement sorts by.
struct SQLOrderTerm {
    /// What it sorts by.
    let operand: SQLOperand
    /// Whether larger values come first.
    let isDescending: Bool

    init(_ operand: SQLOperand, _ isDescending: Bool) {
        self.operand = operand
        self.isDescending = isDescending
    }

    /// The term in `ORDER BY`.
    func text(_ dialect: any SQLDialect) -> String {
        dialect.orderTerm(
            operand.text, isDescending: isDescending, isOptional: operand.isOptional)
    }
}

extension SQLConditionWriter {
    /// Tests for a value that is not null.
    mutating func equals(_ operand: SQLOperand, _ value: StoredValue) -> String? {
        // Equality of decimals is that of their canonical texts, although their order is not.
        if operand.form == .decimal, case .decimal(let number) = value, number.isFinite {
            return "\(operand.text) = \(bind(value, .decimal))"
        }
        return compare(operand, .equal, value)
    }

    /// What stands after a place in an order; nil for a place where no record can stand.
    ///
    /// - Parameters:
    ///   - values: the place, a value for each term.
    ///   - terms: the order.
    mutating func after(_ values: [StoredValue], _ terms: [SQLOrderTerm]) -> String? {
        for (value, term) in zip(values, terms) where value != .null {
            guard case .value = SQLComparand(value, term.operand.form) else { return nil }
        }
        let isPlain = zip(values, terms).allSatisfy { value, term in
            value != .null && !term.isDescending && !term.operand.isOptional
        }
        if isPlain, terms.count > 1 {
            let places = zip(values, terms).map { bind($0, $1.operand.form) }
            return
                "(\(terms.map(\.operand.text).joined(separator: ", "))) > (\(places.joined(separator: ", ")))"
        }
        return after(zip(values, terms).map { ($0, $1) }[...])
    }

    private mutating func after(_ places: ArraySlice<(StoredValue, SQLOrderTerm)>) -> String? {
        guard let (value, term) = places.first else { return "FALSE" }
        let (text, isLast) = (term.operand.text, places.count == 1)
        if value == .null {
            if isLast { return term.isDescending ? "FALSE" : "\(text) IS NOT NULL" }
            guard let rest = after(places.dropFirst()) else { return nil }
            return term.isDescending
                ? "(\(text) IS NULL AND \(rest))" : "(\(text) IS NOT NULL OR \(rest))"
        }
        let place = bind(value, term.operand.form)
        let sign = term.isDescending ? "<" : ">"
        let holdsNull = term.isDescending && term.operand.isOptional
        if isLast {
            return holdsNull
                ? "(\(text) < \(place) OR \(text) IS NULL)" : "\(text) \(sign) \(place)"
        }
        guard let rest = after(places.dropFirst()) else { return nil }
        // The bound in front lets an index begin at the place.
        return holdsNull
            ? "(\(text) < \(place) OR \(text) IS NULL OR (\(text) = \(place) AND \(rest)))"
            : "(\(text) \(sign)= \(place) AND (\(text) \(sign) \(place) OR \(rest)))"
    }
}
