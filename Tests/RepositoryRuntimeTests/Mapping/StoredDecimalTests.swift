import Foundation
import Testing

@testable import RepositoryRuntime

/// One parser reads the decimals of every stored form.
@Suite("Decimals of texts")
struct StoredDecimalTests {
    @Test(arguments: [
        "0", "-0", "1", "-1", "+1", "0.5", ".5", "5.", "-12.340", "1e3", "1E-3", "2.5e+2", "1e127",
        "340282366920938463463374607431768211455", "00012", "0.000000000000000000000000000001",
    ])
    func readsNotation(_ text: String) throws {
        let value = try #require(StoredDecimal.value(ofText: text))
        #expect(value == Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")))
    }

    @Test(arguments: [
        "", " ", "-", "+", ".", "e", "1a", "12 ", " 12", "1,5", "1.2.3", "--1", "+-1", "-+1", "1e",
        "1e+", "1e1.5", "0x10", "NaN", "inf", "1_000", "1\u{0}", "١", "1e5e5", "1-",
        "1e99999999999",
    ])
    func readsNothingElse(_ text: String) {
        #expect(StoredDecimal.value(ofText: text) == nil)
    }

    @Test func roundsDigitsThatDoNotFit() throws {
        let text = "1.23456789012345678901234567890123456789012345678901234567890"
        let value = try #require(StoredDecimal.value(ofText: text))
        #expect(value == Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")))
    }

    /// A cursor with a number followed by something else was read as the number.
    @Test func cursorsAreReadWhole() {
        let order: StoredValue = .text("t:")
        var bytes = StoredValueBytes()
        bytes.append(order)
        let text = Array("c3:12x".utf8)
        #expect(StoredValueBytes.values(of: bytes.bytes + text) == nil)
        #expect(
            StoredValueBytes.values(of: bytes.bytes + Array("c2:12".utf8)) == [order, .decimal(12)])
    }
}
