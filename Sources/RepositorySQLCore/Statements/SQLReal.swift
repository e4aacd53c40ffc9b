package import Foundation
internal import RepositoryRuntime

/// Conversions of dates and decimals to floating-point numbers and back.
///
/// The conversion back is a multiplication and a rounding half away from zero. A database can
/// compute it with bit-identical results.
///
/// They are used for the representations ``StoredForm/real`` of dates and decimals. The conversions
/// to floating point return nil for a value that would not survive the round trip, except for
/// ``nearest(_:)``.
package enum SQLReal {
    /// Converts microseconds to seconds; nil if the result does not convert back to the same
    /// number.
    package static func seconds(microseconds: Int64) -> Double? {
        let seconds = Double(microseconds) / 1_000_000
        return self.microseconds(seconds: seconds) == microseconds ? seconds : nil
    }

    /// Converts seconds to microseconds, rounded; nil if the result does not fit into 64 bits.
    package static func microseconds(seconds: Double) -> Int64? {
        Int64(exactly: (seconds * 1_000_000).rounded())
    }

    /// Returns the floating-point number nearest to a decimal; nil if the decimal is not finite.
    package static func nearest(_ decimal: Decimal) -> Double? {
        // Uses the decimal digits, because Foundation's own conversion has errors of several units
        // in the last place.
        decimal.isFinite ? Double(decimal.description) : nil
    }

    /// Returns the floating-point number nearest to a decimal; nil if it does not convert back to
    /// the same decimal.
    package static func number(_ decimal: Decimal, scale: Int?) -> Double? {
        guard let number = nearest(decimal), self.decimal(number, scale: scale) == decimal else {
            return nil
        }
        return number
    }

    /// Returns the decimal that a floating-point number represents; nil if there is none.
    ///
    /// With a scale, it is the nearest decimal of that scale. Without one, it is the shortest
    /// decimal that identifies the number.
    package static func decimal(_ number: Double, scale: Int?) -> Decimal? {
        guard number.isFinite else { return nil }
        guard let scale else {
            return StoredDecimal.value(ofText: "\(number)")
        }
        return Int64(exactly: (number * power(scale)).rounded())
            .map { StoredDecimal.decimal(scaledInteger: $0, scale: scale) }
    }

    /// Returns 10ˢᶜᵃˡᵉ, which is exact for every scale that the schema language allows.
    package static func power(_ scale: Int) -> Double {
        (0..<scale).reduce(1) { power, _ in power * 10 }
    }
}
