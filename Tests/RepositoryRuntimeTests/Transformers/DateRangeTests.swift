import Foundation
import Testing

@testable import RepositoryRuntime

private struct Moment: Codable, Equatable {
    var when: Date
    var others: [Date]
}

/// The range of dates is one for every format, for records and for items of any `Codable` type: what is written is read.
@Suite("The range of dates")
struct DateRangeTests {
    static let transformers: [any RecordTransformer] = [
        JSONDataTransformer(), CBORDataTransformer(), XMLDataTransformer(),
        BinaryPropertyListDataTransformer(),
    ]
    /// Where the range ends, in seconds since 2001.
    static let end: Double = 9.2e12
    /// Around the edges, in seconds since 2001: those that a reader which counts from 1970 could refuse among them.
    static let inside: [Double] = [
        end.nextDown, -end.nextDown, 9_199_999_999_999, 9_199_021_692_800, 9_199_021_692_799.5,
        9_199_021_692_799, -9_199_999_999_999, 9.199e12, -9.199e12, 0x1p43, -0x1p43,
        8_700_000_000_000.25,
    ]
    static let outside: [Double] = [
        9.2e12, -9.2e12, 9.21e12, 9.3e12, -9.3e12, 1e300, -1e300, .infinity, -.infinity, .nan,
    ]

    private func date(_ seconds: Double, _ transformer: any RecordTransformer) -> Date? {
        // XML has whole seconds, and no years before 1.
        guard transformer is XMLDataTransformer else {
            return Date(timeIntervalSinceReferenceDate: seconds)
        }
        guard seconds > 0, seconds.rounded() < 9.2e12 else { return nil }
        return Date(timeIntervalSinceReferenceDate: seconds.rounded())
    }

    @Test(arguments: transformers)
    func holdsItsEdges(_ transformer: any RecordTransformer) async throws {
        for seconds in Self.inside {
            guard let date = date(seconds, transformer) else { continue }
            var specimen = Specimen("a")
            specimen.seen = date
            specimen.days = ["d": [date]]
            let record = try transformer.encodeRecord(specimen, SpecimenMapper.self)
            let read = try transformer.decodeRecord(record, SpecimenMapper.self)
            #expect(read == specimen, "\(seconds)")
            let moment = Moment(when: date, others: [date])
            let item = try await transformer.encode(moment)
            #expect(try await transformer.decode(data: item) == moment, "\(seconds)")
        }
    }

    @Test(arguments: transformers)
    func refusesWhatLiesOutside(_ transformer: any RecordTransformer) async throws {
        for seconds in Self.outside {
            let date = Date(timeIntervalSinceReferenceDate: seconds)
            var specimen = Specimen("a")
            specimen.until = date
            let record = #expect(throws: CRUDRepositoryError.self) {
                try transformer.encodeRecord(specimen, SpecimenMapper.self)
            }
            #expect(record?.code == .invalidItem, "\(seconds)")
            #expect(record?.field == "until", "\(seconds)")
            let moment = Moment(when: Date(timeIntervalSinceReferenceDate: 0), others: [date])
            let item = await #expect(throws: CRUDRepositoryError.self) {
                try await transformer.encode(moment)
            }
            #expect(item?.code == .invalidItem, "\(seconds)")
            #expect(item?.field == "others.0", "\(seconds)")
        }
    }

    /// A file that another program has written may hold what this one does not write.
    @Test func readsMoreThanItWrites() throws {
        var writer = CBORWriter()
        writer.writeHead(CBORMajor.tag, CBORTag.seconds)
        writer.write(Int64(-9_200_500_000_000))
        let bytes = writer.takeDocument()
        try bytes.withUnsafeBytes { bytes in
            var reader = try CBORReader(bytes)
            let date = try reader.readDate()
            #expect(date.timeIntervalSince1970 == -9_200_500_000_000)
            #expect(!StoredDate.canStore(date))
        }
    }
}
