import Foundation
import Generated
import RepositoryRuntime
import Testing

@Suite("Records in each format")
struct RecordRoundTripTests {
    static let transformers: [any RecordTransformer] = [
        JSONDataTransformer(), CBORDataTransformer(), XMLDataTransformer(),
        BinaryPropertyListDataTransformer(),
    ]

    private func samples(for transformer: any RecordTransformer) -> [Specimen] {
        Specimen.edges(wholeSeconds: transformer is XMLDataTransformer)
    }

    @Test("Every edge comes back exactly", arguments: transformers)
    func roundTrip(_ transformer: any RecordTransformer) throws {
        for specimen in samples(for: transformer) {
            let bytes = try transformer.encodeRecord(specimen, SpecimenMapper.self)
            let read = try transformer.decodeRecord(bytes, SpecimenMapper.self)
            #expect(read == specimen, "\(specimen.id)")
            #expect(read.ratio.sign == specimen.ratio.sign, "\(specimen.id)")
        }
    }

    @Test("Bytes are read where they lie", arguments: transformers + [DataReadingTransformer()])
    func readingInPlace(_ transformer: any RecordTransformer) throws {
        for specimen in samples(for: transformer) {
            let bytes = try transformer.encodeRecord(specimen, SpecimenMapper.self)
            let read = try bytes.withUnsafeBytes {
                try transformer.decodeRecord($0, SpecimenMapper.self)
            }
            #expect(read == specimen, "\(specimen.id)")
        }
    }

    @Test("Equal records have equal bytes", arguments: transformers)
    func determinism(_ transformer: any RecordTransformer) throws {
        var specimen = Specimen("maps")
        let keys = (0..<50).map { "key \($0)" }
        specimen.prices = Dictionary(uniqueKeysWithValues: keys.map { ($0, 1) })
        let first = try transformer.encodeRecord(specimen, SpecimenMapper.self)
        for _ in 0..<5 {
            specimen.prices = Dictionary(uniqueKeysWithValues: keys.shuffled().map { ($0, 1) })
            #expect(try transformer.encodeRecord(specimen, SpecimenMapper.self) == first)
        }
    }

    @Test("An entity as an item, alone and in a list, means the same", arguments: transformers)
    func entitiesAsItems(_ transformer: any RecordTransformer) async throws {
        for specimen in samples(for: transformer) {
            let bytes = try await transformer.encode(specimen)
            #expect(try transformer.decodeRecord(bytes, SpecimenMapper.self) == specimen)
            let record = try transformer.encodeRecord(specimen, SpecimenMapper.self)
            let item: Specimen = try await transformer.decode(data: record)
            #expect(item == specimen)
        }
        // Lists go through `Codable`; null texts in property lists are told apart by the direct codec only.
        let plain = samples(for: transformer).filter { $0.text != "$null" && !$0.ratio.isSubnormal }
        let bytes = try await transformer.encode(plain)
        let read: [Specimen] = try await transformer.decode(data: bytes)
        #expect(read == plain)
    }

    @Test("What Foundation writes is read")
    func foundationWrites() throws {
        let xml = PropertyListEncoder()
        xml.outputFormat = .xml
        let binary = PropertyListEncoder()
        binary.outputFormat = .binary
        for specimen in Specimen.edges() where specimen.text != "$null" {
            let json = try JSONEncoder().encode(specimen)
            let id = "\(specimen.id)"
            #expect(
                try JSONDataTransformer().decodeRecord(json, SpecimenMapper.self) == specimen,
                "\(id)")
            let plist = try binary.encode(specimen)
            let fromPlist = try BinaryPropertyListDataTransformer()
                .decodeRecord(plist, SpecimenMapper.self)
            #expect(fromPlist == specimen, "\(id)")
        }
        for specimen in Specimen.edges(wholeSeconds: true) where specimen.text != "$null" {
            let document = try xml.encode(specimen)
            #expect(
                try XMLDataTransformer().decodeRecord(document, SpecimenMapper.self) == specimen,
                "\(specimen.id)")
        }
    }

    @Test("Foundation reads what is written")
    func foundationReads() throws {
        for specimen in Specimen.edges() where specimen.text != "$null" {
            let json = try JSONDataTransformer().encodeRecord(specimen, SpecimenMapper.self)
            // Foundation's own reader refuses the smallest numbers, which its writer writes.
            if !specimen.ratio.isSubnormal, !specimen.single.isSubnormal {
                #expect(
                    try JSONDecoder().decode(Specimen.self, from: json) == specimen,
                    "\(specimen.id)")
            }
            let plist = try BinaryPropertyListDataTransformer()
                .encodeRecord(specimen, SpecimenMapper.self)
            let read = try PropertyListDecoder().decode(Specimen.self, from: plist)
            #expect(read == specimen, "\(specimen.id)")
        }
        for specimen in Specimen.edges(wholeSeconds: true) where specimen.text != "$null" {
            let xml = try XMLDataTransformer().encodeRecord(specimen, SpecimenMapper.self)
            let read = try PropertyListDecoder().decode(Specimen.self, from: xml)
            #expect(read == specimen, "\(specimen.id)")
        }
    }
}

/// A transformer of somebody else's, which says only how data are read.
private struct DataReadingTransformer: RecordTransformer {
    private let json = JSONDataTransformer()

    func encode<T: Encodable>(_ object: T) async throws -> Data { try json.encode(object) }
    func decode<T: Decodable>(data: Data) async throws -> T { try json.decode(data: data) }

    func encodeRecord<M: RecordMapper>(_ record: M.Record, _ mapper: M.Type) throws -> Data {
        try json.encodeRecord(record, mapper)
    }

    func decodeRecord<M: RecordMapper>(_ data: Data, _ mapper: M.Type) throws -> M.Record {
        try json.decodeRecord(data, mapper)
    }
}
