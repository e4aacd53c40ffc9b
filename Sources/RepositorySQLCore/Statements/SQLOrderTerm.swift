internal import Foundation
internal import RepositoryRuntime

/// A term of an `ORDER BY` clause.
struct SQLOrderTerm {
    /// The expression to sort by.
    let operand: SQLOperand
    /// Whether the order is descending.
    let isDescending: Bool

    init(_ operand: SQLOperand, _ isDescending: Bool) {
        self.operand = operand
        self.isDescending = isDescending
    }

    /// Returns the term as SQL.
    func text(_ dialect: any SQLDialect) -> String {
        dialect.orderTerm(
            operand.text, isDescending: isDescending, isOptional: operand.isOptional)
    }
}

extension SQLConditionWriter {
    /// Tests whether an operand equals a value that is not null.
    mutating func equals(_ operand: SQLOperand, _ value: StoredValue) -> String? {
        // Decimals can be tested for equality by their canonical text, although the order of the
        // texts differs from that of the numbers.
        if operand.form == .decimal, case .decimal(let number) = value, number.isFinite {
            return "\(operand.text) = \(bind(value, .decimal))"
        }
        return compare(operand, .equal, value)
    }

    /// Returns the condition for the records after a position in an order; nil if the database
    /// cannot evaluate it exactly.
    ///
    /// The position need not be one that a record can have, because cursors come from outside.
    ///
    /// If all terms are ascending and required, the condition is a comparison of row values:
    /// `("a", "b") > (?1, ?2)`. Otherwise it is nested, for example for a descending first term:
    ///
    /// ```sql
    /// ("a" <= ?1 AND ("a" < ?1 OR "b" > ?2))
    /// ```
    ///
    /// - Parameters:
    ///   - values: the position: one value for each term.
    ///   - terms: the order.
    mutating func after(_ values: [StoredValue], _ terms: [SQLOrderTerm]) -> String? {
        let isPlain = zip(values, terms).allSatisfy { value, term in
            guard value != .null, case .value = SQLComparand(value, term.operand.form, dialect)
            else {
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

    /// Writes the comparison term by term. Null is the smallest value, so it comes first in
    /// ascending and last in descending order.
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
        guard let comparand = SQLComparand(value, term.operand.form, dialect) else { return nil }
        guard case .value(let value) = comparand else {
            // No record has exactly this value, so the remaining terms are irrelevant.
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
        // The redundant leading bound lets the database start an index scan at the position.
        return holdsNull
            ? "(\(text) < \(place) OR \(text) IS NULL OR (\(text) = \(place) AND \(rest)))"
            : "(\(text) \(sign)= \(place) AND (\(text) \(sign) \(place) OR \(rest)))"
    }
}
