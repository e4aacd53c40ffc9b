package import Foundation

/// Moments and decimals as floating-point numbers, and back.
///
/// The way back is arithmetic that a database can do too, to the same bit: a multiplication and a rounding half away
/// from zero.
package enum SQLReal {
    /// Microseconds as seconds; nil where the way back would lead to others.
    package static func seconds(microseconds: Int64) -> Double? {
        let seconds = Double(microseconds) / 1_000_000
        return self.microseconds(seconds: seconds) == microseconds ? seconds : nil
    }

    /// Seconds as microseconds, rounded; nil where 64 bits cannot hold them.
    package static func microseconds(seconds: Double) -> Int64? {
        Int64(exactly: (seconds * 1_000_000).rounded())
    }

    /// The number nearest to a decimal.
    package static func nearest(_ decimal: Decimal) -> Double? {
        // By way of the digits: Foundation's own conversion adds errors of several steps.
        decimal.isFinite ? Double(decimal.description) : nil
    }

    /// The number nearest to a decimal; nil where the way back would lead to another one.
    package static func number(_ decimal: Decimal, scale: Int?) -> Double? {
        guard let number = nearest(decimal), self.decimal(number, scale: scale) == decimal else {
            return nil
        }
        return number
    }

    /// The decimal that a number stands for: the one of the scale that is nearest, or else the shortest that no other
    /// number is nearer to; nil where there is none.
    package static func decimal(_ number: Double, scale: Int?) -> Decimal? {
        guard number.isFinite else { return nil }
        guard let scale else {
            return StoredDecimal.value(ofText: "\(number)")
        }
        return Int64(exactly: (number * power(scale)).rounded())
            .map { StoredDecimal.decimal(scaledInteger: $0, scale: scale) }
    }

    /// 10ˢᶜᵃˡᵉ, exact for every scale of the language.
    package static func power(_ scale: Int) -> Double {
        (0..<scale).reduce(1) { power, _ in power * 10 }
    }
}
