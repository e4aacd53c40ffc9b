import Foundation
import Testing

@testable import RepositoryRuntime

@Suite("The file of user defaults") struct DefaultsFileBytesTests {
    /// What other programs may keep beside the documents.
    private static var foreign: [String: Any] {
        [
            "flag": true, "no": false, "one": 1, "zero": 0, "negative": -3, "large": Int64.max,
            "largest": UInt64.max, "single": Float(1.5), "double": 2.0, "whole": 3.0,
            "date": Date(timeIntervalSinceReferenceDate: 7.25), "data": Data([1, 2]), "text": "x",
            "snow": "☃️", "null": "$null", "empty": "",
            "list": [1, true, "q", Data([3]), [Any]()] as [Any],
            "members": ["k": false, "inner": ["d": Data()] as [String: Any]] as [String: Any],
        ]
    }

    @Test(
        "Foundation reads what it wrote itself",
        arguments: [PropertyListSerialization.PropertyListFormat.binary, .xml])
    func foundationReads(_ format: PropertyListSerialization.PropertyListFormat) throws {
        let original = try read(
            PropertyListSerialization.data(
                fromPropertyList: Self.foreign, format: format, options: 0))
        let copy = try read(DefaultsFileBytes.encode(original))
        #expect(Set(copy.keys) == Set(Self.foreign.keys))
        for (key, value) in original {
            let copied = try #require(copy[key])
            #expect(String(describing: type(of: copied)) == String(describing: type(of: value)))
            #expect(isEqual(copied, value), "\(key)")
        }
        #expect(copy["flag"] as? Bool == true)
        #expect((copy["largest"] as? NSNumber)?.uint64Value == .max)
        #expect((copy["data"] as? Data) == Data([1, 2]))
    }

    @Test(
        "As many values as the tables of the format take", arguments: [0, 1, 14, 15, 300, 70_000])
    func counts(_ count: Int) throws {
        var domain: [String: Any] = [:]
        for number in 0..<count { domain["key \(number)"] = Data("value \(number)".utf8) }
        let copy = try read(DefaultsFileBytes.encode(domain))
        #expect(copy.count == count)
        for number in 0..<count where copy["key \(number)"] as? Data != Data("value \(number)".utf8)
        {
            Issue.record("key \(number) has another value")
        }
    }

    @Test("A kind that is not known is left to Foundation")
    func unknownKinds() throws {
        let domain: [String: Any] = ["small": NSNumber(value: Int8(5)), "data": Data([1])]
        let copy = try read(DefaultsFileBytes.encode(domain))
        #expect(copy["small"] as? Int == 5)
        #expect(copy["data"] as? Data == Data([1]))
        #expect(throws: (any Error).self) { try DefaultsFileBytes.encode(["no value": NSNull()]) }
    }

    private func read(_ bytes: Data) throws -> [String: Any] {
        try #require(
            try PropertyListSerialization.propertyList(from: bytes, format: nil) as? [String: Any])
    }

    private func isEqual(_ first: Any, _ second: Any) -> Bool {
        NSDictionary(dictionary: ["it": first]).isEqual(
            to: NSDictionary(dictionary: ["it": second]) as? [AnyHashable: Any] ?? [:])
    }
}
