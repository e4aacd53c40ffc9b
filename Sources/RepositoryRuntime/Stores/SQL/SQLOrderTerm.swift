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

    /// What stands after a place in an order; nil where the database cannot decide it exactly.
    ///
    /// The place need not be one where a record can stand: a cursor comes from outside.
    ///
    /// - Parameters:
    ///   - values: the place, a value for each term.
    ///   - terms: the order.
    mutating func after(_ values: [StoredValue], _ terms: [SQLOrderTerm]) -> String? {
        let isPlain = zip(values, terms).allSatisfy { value, term in
            guard value != .null, case .value = SQLComparand(value, term.operand.form) else {
                return false
            }
            return !term.isDescending && !term.operand.isOptional
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
        let holdsNull = term.isDescending && term.operand.isOptional
        guard let comparand = SQLComparand(value, term.operand.form) else { return nil }
        guard case .value(let value) = comparand else {
            // No record stands at the place itself, so that the terms behind this one decide nothing.
            let test = compare(term.operand, term.isDescending ? .less : .greater, value)
            guard let test else { return nil }
            return holdsNull ? "(\(test) OR \(text) IS NULL)" : test
        }
        let place = bind(value, term.operand.form)
        let sign = term.isDescending ? "<" : ">"
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
