import Counting
import Foundation
import RepositoryRuntime

/// How often one record to bytes and back allocates memory, in each format.
///
/// The limit of the way back is what its texts take that are longer than 15 bytes, three of four, each of which is an allocation
/// of its own in Swift; that of the way there is what the bytes take.
enum Allocations {
    private static let formats: [(name: String, transformer: any RecordTransformer)] = [
        ("JSON", JSONDataTransformer()), ("XML", XMLDataTransformer()),
        ("binary property list", BinaryPropertyListDataTransformer()),
        ("CBOR", CBORDataTransformer()),
    ]

    /// The names of all lines, in their order.
    static let names = formats.flatMap {
        ["allocations: \($0.name): encode", "allocations: \($0.name): decode"]
    }

    /// Counts for the lines whose names hold the word, and gives each; none where the C library does not let itself be counted.
    static func run(_ word: String, _ give: (Result) -> Void) throws {
        let wanted = names.filter { word.isEmpty || $0.contains(word) }
        guard counting_allocations() >= 0, !wanted.isEmpty else { return }
        let reading = Reading(number: 12_345)
        let texts = [reading.id.rawValue, reading.station, reading.quantity, reading.note]
            .map { Array($0.utf8) }
        for (name, transformer) in formats {
            let bytes = try transformer.encodeRecord(reading, ReadingMapper.self)
            let lines = [
                result(
                    "allocations: \(name): encode",
                    try counted { use(try transformer.encodeRecord(reading, ReadingMapper.self)) },
                    "a copy of the bytes", counted { use(bytes.withUnsafeBytes { Data($0) }) }),
                result(
                    "allocations: \(name): decode",
                    try counted { use(try transformer.decodeRecord(bytes, ReadingMapper.self)) },
                    "making the texts",
                    counted {
                        for text in texts { use(String(decoding: text, as: UTF8.self)) }
                    }),
            ]
            for line in lines where wanted.contains(line.workload) { give(line) }
        }
    }

    private static func result(
        _ name: String, _ ours: Double, _ limitName: String, _ limit: Double
    ) -> Result {
        Result(
            workload: name, unit: Workload.Unit.allocations.rawValue, ours: ours, limit: limit,
            limitName: limitName, peer: nil, peerName: nil)
    }

    /// How often a body allocates, once what it keeps for the next time is there.
    private static func counted(_ body: () throws -> Void) rethrows -> Double {
        let times = 100
        try body()
        let before = counting_allocations()
        for _ in 0..<times { try body() }
        return Double(counting_allocations() - before) / Double(times)
    }
}
