import Foundation
import Generated
import RepositoryRuntime
import Testing

/// Bytes that were damaged, or made to hurt: an error, in bounded time, and never a crash.
@Suite("Hostile input")
struct HostileInputTests {
    static let transformers: [any RecordTransformer] = [
        JSONDataTransformer(), CBORDataTransformer(), XMLDataTransformer(),
        BinaryPropertyListDataTransformer(),
    ]

    /// Reads bytes as a record and as an item; only the documented errors may come.
    private func read(_ data: Data, with transformer: any RecordTransformer) async -> Bool {
        var isRead = false
        do {
            let record = try transformer.decodeRecord(data, SpecimenMapper.self)
            isRead = true
            _ = try? transformer.encodeRecord(record, SpecimenMapper.self)
        } catch {
            #expect(error is RecordDecodingError, "\(error)")
        }
        do {
            let _: AnyValue = try await transformer.decode(data: data)
        } catch {
            let code = (error as? CRUDRepositoryError)?.code
            #expect(code == .invalidRecord || code == .itemTypeMismatch, "\(error)")
        }
        return isRead
    }

    @Test("Damaged records", arguments: transformers)
    func mutations(_ transformer: any RecordTransformer) async throws {
        let environment = ProcessInfo.processInfo.environment["REPOSITORY_TEST_SEED"]
        let seed = environment.flatMap { UInt64($0) } ?? UInt64.random(in: 0 ... .max)
        var random = SeededGenerator(seed: seed)
        let samples = try Specimen.edges(wholeSeconds: true)
            .filter { $0.text.utf8.count < 1000 && $0.shelves.count < 10 }
            .map { try transformer.encodeRecord($0, SpecimenMapper.self) }
        var readable = 0
        let count = 4000
        for _ in 0..<count {
            var bytes = samples.randomElement(using: &random) ?? Data()
            for _ in 0..<Int.random(in: 1...4, using: &random) { damage(&bytes, samples, &random) }
            if await read(bytes, with: transformer) { readable += 1 }
        }
        print(
            "\(type(of: transformer)): seed \(seed), \(count) damaged records, \(readable) readable"
        )
    }

    private func damage(_ bytes: inout Data, _ others: [Data], _ random: inout SeededGenerator) {
        guard let place = bytes.indices.randomElement(using: &random) else { return }
        switch Int.random(in: 0..<6, using: &random) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 2: bytes.remove(at: place)
        case 3: bytes.insert(UInt8.random(in: 0...255, using: &random), at: place)
        case 4: bytes = bytes.prefix(place)
        default:
            let other = others.randomElement(using: &random) ?? Data()
            let start = other.indices.randomElement(using: &random) ?? other.startIndex
            let part = other[start...].prefix(Int.random(in: 1...40, using: &random))
            bytes.insert(contentsOf: part, at: place)
        }
        bytes = Data(bytes)
    }

    private func expectRefusal(
        _ data: Data, _ transformer: any RecordTransformer,
        _ location: SourceLocation = #_sourceLocation
    ) async {
        let isRead = await read(data, with: transformer)
        #expect(!isRead, sourceLocation: location)
        let item: (any Error)?
        do {
            let _: AnyValue = try await transformer.decode(data: data)
            item = nil
        } catch {
            item = error
        }
        #expect(item != nil, sourceLocation: location)
    }

    @Test("Depth bombs")
    func depth() async {
        // What took the square of this many steps would not come to its end.
        let count = 200_000
        func bomb(_ open: String, _ close: String, _ around: (String) -> String = { $0 }) -> Data {
            let nested =
                String(repeating: open, count: count) + String(repeating: close, count: count)
            return Data(around(nested).utf8)
        }
        await expectRefusal(bomb("[", "]"), JSONDataTransformer())
        await expectRefusal(bomb("[", ""), JSONDataTransformer())
        await expectRefusal(bomb(#"{"a":"#, "}"), JSONDataTransformer())
        await expectRefusal(bomb("[", "]") { #"{"id":"a","other":\#($0)}"# }, JSONDataTransformer())
        await expectRefusal(bomb("<array>", "</array>"), XMLDataTransformer())
        await expectRefusal(bomb("<dict><key>a</key>", "</dict>"), XMLDataTransformer())
        await expectRefusal(bomb("<array>", ""), XMLDataTransformer())
        await expectRefusal(
            bomb("<array>", "</array>") { "<plist><dict><key>other</key>\($0)</dict></plist>" },
            XMLDataTransformer())
        for byte: UInt8 in [0x81, 0x9F, 0xC1, 0xBF, 0xD8] {
            await expectRefusal(Data(repeating: byte, count: count), CBORDataTransformer())
        }
        var maps = Data()
        for _ in 0..<count { maps += [0xA1, 0x61, 0x61] }
        await expectRefusal(maps, CBORDataTransformer())
    }

    @Test("Containers up to the bound are read")
    func boundedDepth() throws {
        let text = String(repeating: "[", count: 511) + String(repeating: "]", count: 511)
        var record = try JSONDataTransformer().encodeRecord(Specimen("s"), SpecimenMapper.self)
        record.replaceSubrange(0..<1, with: Data("{\"other\":\(text),".utf8))
        #expect(try JSONDataTransformer().decodeRecord(record, SpecimenMapper.self).id == "s")
    }

    @Test("Lengths that promise more than there is")
    func lengths() async {
        for head: UInt8 in [0x5B, 0x7B, 0x9B, 0xBB] {
            for length: UInt8 in [0x00, 0x7F, 0xFF] {
                let data = Data([head, length] + Array(repeating: 0xFF, count: 7))
                await expectRefusal(data, CBORDataTransformer())
            }
        }
    }

    /// A binary property list of arrays, each of which refers twice to the next.
    private func sharing(levels: Int, cyclic: Bool) -> Data {
        var file = Data("bplist00".utf8)
        var places: [Int] = []
        for level in 0..<levels {
            places.append(file.count)
            let next = UInt8(level + 1 < levels ? level + 1 : cyclic ? 0 : level + 1)
            file += [0xA2, next, next]
        }
        if !cyclic {
            places.append(file.count)
            file += [0x10, 0x01]
        }
        let table = file.count
        for place in places { file += [UInt8(place >> 8), UInt8(place & 0xFF)] }
        file += [0, 0, 0, 0, 0, 0, 2, 1]
        for number in [places.count, 0, table] {
            withUnsafeBytes(of: UInt64(number).bigEndian) { file.append(contentsOf: $0) }
        }
        return file
    }

    @Test("Binary property lists whose objects are shared without end")
    func sharedObjects() async {
        await expectRefusal(
            sharing(levels: 100, cyclic: false), BinaryPropertyListDataTransformer())
        await expectRefusal(sharing(levels: 1, cyclic: true), BinaryPropertyListDataTransformer())
        await expectRefusal(sharing(levels: 50, cyclic: true), BinaryPropertyListDataTransformer())
    }

    @Test("XML with entities of its own, and in other encodings")
    func entities() async {
        let laughs = """
            <?xml version="1.0"?><!DOCTYPE plist [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>\
            <plist><string>&b;</string></plist>
            """
        await expectRefusal(Data(laughs.utf8), XMLDataTransformer())
        await expectRefusal(Data("<plist><string>&b;</string></plist>".utf8), XMLDataTransformer())
        let latin =
            Data("<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><plist><string>".utf8)
            + [0xE9] + Data("</string></plist>".utf8)
        await expectRefusal(latin, XMLDataTransformer())
        for text in ["&#0;x", "&#x110000;", "&#xD800;", "&#;", "&x", "<b>"] {
            _ = await read(
                Data("<plist><string>\(text)</string></plist>".utf8), with: XMLDataTransformer())
        }
    }
}
