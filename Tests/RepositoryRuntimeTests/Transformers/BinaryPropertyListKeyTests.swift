import Foundation
import RepositoryRuntime
import Testing

/// The keys of binary property lists, which are written once for all dictionaries.
@Suite("Keys of binary property lists")
struct BinaryPropertyListKeyTests {
    private let transformer = BinaryPropertyListDataTransformer()

    /// Few and many of them, alike in length, in ASCII and not, and the text that stands for null.
    private static let keys: [[String]] = [
        ["a", "b"],
        (0..<60).map { "key \($0)" },
        ["", "$null", "€", "id", "text", "prices", String(repeating: "long ", count: 60)],
        (0..<30).map { "Schlüssel \($0)" } + ["$null", "$nulL"],
    ]

    @Test("Every key comes back, here and with Foundation", arguments: keys)
    func roundTrip(keys: [String]) throws {
        var specimen = Specimen("keys")
        specimen.maybe = Dictionary(uniqueKeysWithValues: keys.enumerated().map { ($1, $0) })
        specimen.days = Dictionary(uniqueKeysWithValues: keys.map { ($0, [Date]()) })
        let bytes = try transformer.encodeRecord(specimen, SpecimenMapper.self)
        #expect(try transformer.decodeRecord(bytes, SpecimenMapper.self) == specimen)
        let list = try PropertyListSerialization.propertyList(from: bytes, format: nil)
        let members = try #require(list as? [String: Any])
        let read = try #require(members["maybe"] as? [String: Int])
        #expect(read == specimen.maybe.compactMapValues(\.self))
        // Each text is there once, however many dictionaries it is a key of.
        if let key = keys.first(where: { $0.hasPrefix("key") }) {
            #expect(bytes.ranges(of: Data(key.utf8)).count <= keys.count { $0.hasPrefix(key) })
        }
    }

    @Test("Keys that look the same and differ in their bytes stay apart")
    func unicodeForms() throws {
        var specimen = Specimen("keys")
        specimen.maybe = ["caf\u{E9}": 1]
        specimen.days = ["cafe\u{301}": []]
        let bytes = try transformer.encodeRecord(specimen, SpecimenMapper.self)
        let read = try transformer.decodeRecord(bytes, SpecimenMapper.self)
        #expect(read.maybe.keys.map { Array($0.utf8) } == [Array("caf\u{E9}".utf8)])
        #expect(read.days.keys.map { Array($0.utf8) } == [Array("cafe\u{301}".utf8)])
    }
}
