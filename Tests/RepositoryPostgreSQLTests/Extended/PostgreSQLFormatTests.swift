#if PostgreSQL
    import Foundation
    import RepositoryRuntime
    import Testing

    @testable import RepositoryPostgreSQL

    @Suite("PostgreSQL: binary formats")
    struct PostgreSQLFormatTests {
        @Test(arguments: [
            "0", "1", "-1", "10000", "0.0001", "0.00001", "123456789.987654321", "-0.1",
            "99999999999999999999999999999999999999", "1e30", "1e-30", "12300", "10000.0001",
            "340282366920938463463374607431768211455", "3e-128", "1e127",
            "300000000000000000000000000000000000000e127",
            "3.40282366920938463463374607431768211455",
            "340282366920938463463374607431768211455e127",
            "123456789012345678901234567890123456789e-128",
        ])
        func numericKeepsEveryDigit(_ text: String) throws {
            let value = try #require(Decimal(string: text))
            #expect(value.isFinite && value != 0 || text == "0")
            var bytes: [UInt8] = []
            PostgreSQLNumeric.write(value, to: &bytes)
            #expect(bytes.withUnsafeBytes { PostgreSQLNumeric.read($0) } == value)
        }

        @Test func randomNumericsKeepEveryDigit() throws {
            var random = SystemRandomNumberGenerator()
            for _ in 0..<2_000 {
                let mantissa = Decimal(Int64.random(in: .min ... .max, using: &random))
                let value = Decimal(
                    sign: .plus, exponent: .random(in: -30...15, using: &random),
                    significand: mantissa)
                var bytes: [UInt8] = []
                PostgreSQLNumeric.write(value, to: &bytes)
                #expect(bytes.withUnsafeBytes { PostgreSQLNumeric.read($0) } == value, "\(value)")
            }
        }

        @Test func notANumberAndTruncatedNumericsAreNil() {
            let bytes: [[UInt8]] = [
                [0, 0, 0, 0, 0xC0, 0, 0, 0], [0, 1, 0, 0, 0, 0, 0, 0], [0, 1], [],
                [0, 1, 0, 0, 0, 0, 0, 0, 0x27, 0x10],
                // 4e38, whose digits are more than those of the greatest integer of 128 bits, with
                // a one at the end; and ten to the power of 166.
                [0, 10, 0, 9, 0, 0, 0, 0, 0x01, 0x90] + Array(repeating: 0, count: 17) + [1],
                [0, 1, 0, 41, 0, 0, 0, 0, 0, 100],
            ]
            for bytes in bytes {
                #expect(bytes.withUnsafeBytes { PostgreSQLNumeric.read($0) } == nil)
            }
        }

        @Test(.enabled(if: TestServer.isAvailable, TestServer.reason))
        func serverReadsTheFormats() async throws {
            let pool = PostgreSQLPoolAccess(
                ConnectionPool(
                    try TestServer.address.get(), settings: ["TIME ZONE 'UTC'"], limit: 1,
                    connectTimeout: .seconds(10), waitTimeout: .seconds(60)), StoreChanges())
            let date = Date(timeIntervalSince1970: 1_700_000_000.25)
            let day = try #require(LocalDate("1582-10-15"))
            var parameters = PostgreSQLParameters()
            parameters.append(PostgreSQLType.numeric) {
                PostgreSQLNumeric.write(Decimal(string: "-1234567.000089") ?? 0, to: &$0)
            }
            parameters.append(PostgreSQLType.timestamptz) {
                $0.append(PostgreSQLDate.comparable(microseconds: StoredDate.microseconds(date)))
            }
            parameters.append(PostgreSQLType.date) { $0.append(PostgreSQLDate.days(day)) }
            let bound = parameters
            let texts = try await pool.leasing { connection in
                let result = try await connection.run(
                    "SELECT $1::text, $2::text, $3::text", bound)
                return (0..<3).map { result.text(0, $0) ?? "" }
            }
            #expect(texts == ["-1234567.000089", "2023-11-14 22:13:20.25+00", "1582-10-15"])
        }

        @Test func datesBeforePostgreSQLsFirstCompareBelowAll() {
            #expect(PostgreSQLDate.stored(microseconds: -300_000_000_000_000_000) == nil)
            #expect(PostgreSQLDate.comparable(microseconds: -300_000_000_000_000_000) == .min)
            #expect(PostgreSQLDate.microseconds(stored: .min) == nil)
            #expect(PostgreSQLDate.microseconds(stored: 0) == 946_684_800_000_000)
        }

        @Test func longNamesStayDistinct() {
            let long = String(repeating: "ä", count: 40)
            let names = Set([long, long + "1", long + "2"].map { PostgreSQLNames.short($0) })
            #expect(names.count == 3)
            #expect(names.allSatisfy { $0.utf8.count <= 63 })
        }
    }
#endif
