import Foundation
import RepositoryRuntime

/// One record to bytes and back in each format.
func formats() -> [Workload] {
    let json = (encoder: JSONEncoder(), decoder: JSONDecoder())
    let list = (encoder: PropertyListEncoder(), decoder: PropertyListDecoder())
    list.encoder.outputFormat = .xml
    let binary = (encoder: PropertyListEncoder(), decoder: PropertyListDecoder())
    binary.encoder.outputFormat = .binary
    return format(
        "JSON", JSONDataTransformer(), "Foundation", json.encoder.encode,
        { try json.decoder.decode(PlainReading.self, from: $0) })
        + format(
            "XML", XMLDataTransformer(), "Foundation", list.encoder.encode,
            { try list.decoder.decode(PlainReading.self, from: $0) })
        + format(
            "binary property list", BinaryPropertyListDataTransformer(), "Foundation",
            binary.encoder.encode, { try binary.decoder.decode(PlainReading.self, from: $0) })
        // Foundation has no CBOR: its coders of JSON are what one would take instead.
        + format(
            "CBOR", CBORDataTransformer(), "Foundation's JSON", json.encoder.encode,
            { try json.decoder.decode(PlainReading.self, from: $0) })
}

private func format(
    _ name: String, _ transformer: some RecordTransformer, _ peer: String,
    _ encode: @escaping (PlainReading) throws -> Data,
    _ decode: @escaping (Data) throws -> PlainReading
) -> [Workload] {
    let count = 10_000
    let reading = Reading(number: 12_345)
    let plain = PlainReading(reading)
    return [
        Workload(name: "\(name): encode a record", count: count) {
            let bytes = try transformer.encodeRecord(reading, ReadingMapper.self)
            return Sides(
                ours: Side {
                    try timed {
                        for _ in 0..<count {
                            use(try transformer.encodeRecord(reading, ReadingMapper.self))
                        }
                    }
                },
                limit: Side("a copy of the bytes") {
                    timed {
                        for _ in 0..<count {
                            use(bytes.withUnsafeBytes { Data($0) })
                        }
                    }
                },
                peer: Side(peer) {
                    try timed { for _ in 0..<count { use(try encode(plain)) } }
                })
        },
        Workload(name: "\(name): decode a record", count: count) {
            let bytes = try transformer.encodeRecord(reading, ReadingMapper.self)
            let peerBytes = try encode(plain)
            let texts = [reading.id.rawValue, reading.station, reading.quantity, reading.note]
                .map { Array($0.utf8) }
            return Sides(
                ours: Side {
                    try timed {
                        for _ in 0..<count {
                            use(try transformer.decodeRecord(bytes, ReadingMapper.self))
                        }
                    }
                },
                limit: Side("making the texts") {
                    timed {
                        for _ in 0..<count {
                            for text in texts { use(String(decoding: text, as: UTF8.self)) }
                        }
                    }
                },
                peer: Side(peer) {
                    try timed { for _ in 0..<count { use(try decode(peerBytes)) } }
                })
        },
    ]
}
