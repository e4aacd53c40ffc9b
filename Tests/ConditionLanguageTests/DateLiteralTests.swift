import ConditionLanguage
import Testing

@Suite("Date literals")
struct DateLiteralTests {
    @Test(
        "are moments in UTC",
        arguments: [
            ("1970-01-01", 0), ("1970-01-02T00:00:00Z", 86_400_000_000),
            ("2024-02-29T12:30:05.25Z", 1_709_209_805_250_000),
            ("1969-12-31T23:59:59Z", -1_000_000),
            ("2000-03-01", 951_868_800_000_000), ("0000-01-01", -62_167_219_200_000_000),
            ("9999-12-31T23:59:59.999999Z", 253_402_300_799_999_999),
        ] as [(String, Int64)])
    func moments(text: String, microseconds: Int64) {
        #expect(DateLiteral.microseconds(text) == microseconds)
    }

    @Test(
        "of another form or outside the calendar are none",
        arguments: [
            "", "now", "2023-02-29", "1900-02-29", "2024-13-01", "2024-04-31", "2024-00-10",
            "2024-01-01T24:00:00Z", "2024-01-01T10:00Z", "2024-01-01T10:00:00", "2024-1-1",
            "2024-01-01T10:00:00.Z", "2024-01-01T10:00:00.1234567Z", "2024-01-01T10:00:00+02:00",
            "2024-01-01 10:00:00Z", "+024-01-01", "２０２４-01-01",
        ])
    func refused(text: String) {
        #expect(DateLiteral.microseconds(text) == nil)
    }
}
