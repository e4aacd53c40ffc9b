import Foundation
import Generated
import RepositoryRuntime
import Testing

/// Python's own readers and writers: they read what is written, and what they write of it reads back the same.
@Suite("Another language's readers and writers", .serialized)
struct ForeignReaderTests {
    /// Reads each file named on standard input with the format's module, and writes it again beside it with `.out`.
    private static let script = """
        import datetime, decimal, json, plistlib, sys, uuid

        def transcode(format, data):
            if format == "json":
                return json.dumps(json.loads(data), ensure_ascii=False).encode()
            if format == "ascii":
                return json.dumps(json.loads(data), indent=1, sort_keys=True).encode()
            if format == "xml":
                return plistlib.dumps(plistlib.loads(data, fmt=plistlib.FMT_XML))
            if format == "plist":
                value = plistlib.loads(data, fmt=plistlib.FMT_BINARY)
                return plistlib.dumps(value, fmt=plistlib.FMT_BINARY)
            import cbor2
            value = cbor2.loads(data)
            assert isinstance(value["seen"], datetime.datetime), value["seen"]
            assert isinstance(value["price"], decimal.Decimal), value["price"]
            assert isinstance(value["token"], uuid.UUID), value["token"]
            assert isinstance(value["bytes"], bytes), value["bytes"]
            return cbor2.dumps(value)

        format = sys.argv[1]
        for path in sys.stdin.read().splitlines():
            with open(path, "rb") as file:
                data = file.read()
            with open(path + ".out", "wb") as file:
                file.write(transcode(format, data))
        """

    /// Runs Python; its status and what it wrote to standard error.
    private static func python(_ arguments: [String], input: String = "") throws -> (Int32, String)
    {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3"] + arguments
        let (input, error) = (input, Pipe())
        let source = Pipe()
        process.standardInput = source
        process.standardError = error
        try process.run()
        source.fileHandleForWriting.write(Data(input.utf8))
        try source.fileHandleForWriting.close()
        let message = error.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: message, as: UTF8.self))
    }

    private static func has(module: String) -> Bool {
        (try? python(["-c", "import \(module)"]))?.0 == 0
    }

    private func expectSame(
        _ specimens: [Specimen], _ transformer: any RecordTransformer, _ format: String
    ) throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("foreign-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var paths: [String] = []
        for (index, specimen) in specimens.enumerated() {
            let path = folder.appendingPathComponent("\(index)")
            try transformer.encodeRecord(specimen, SpecimenMapper.self).write(to: path)
            paths.append(path.path)
        }
        let (status, message) = try Self.python(
            ["-c", Self.script, format], input: paths.joined(separator: "\n"))
        #expect(status == 0, "\(message)")
        guard status == 0 else { return }
        for (path, specimen) in zip(paths, specimens) {
            let data = try Data(contentsOf: URL(fileURLWithPath: path + ".out"))
            var read = try transformer.decodeRecord(data, SpecimenMapper.self)
            // Python adds seconds and microseconds in another order, so that the last bit may differ.
            read.seen = StoredDate.rounded(read.seen)
            read.until = read.until.map(StoredDate.rounded)
            read.days = read.days.mapValues { $0.map(StoredDate.rounded) }
            #expect(read == specimen, "\(format): \(specimen.id)")
        }
    }

    @Test("JSON", .enabled(if: has(module: "json"), "no python3"), arguments: ["json", "ascii"])
    func json(_ format: String) throws {
        // Python reads decimals as doubles, so that those of more digits are not for it.
        let specimens = Specimen.edges().filter { !"\($0.id)".hasPrefix("decimal") }
        try expectSame(specimens, JSONDataTransformer(), format)
    }

    @Test("XML property lists", .enabled(if: has(module: "plistlib"), "no python3"))
    func xml() throws {
        // Python writes carriage returns as line feeds, and the text of Foundation's null as it stands.
        let specimens = Specimen.edges(wholeSeconds: true)
            .filter { !$0.text.utf8.contains(0x0D) && $0.text != "$null" }
            .filter { $0.seen < Date(timeIntervalSince1970: 253_402_300_800) }
        try expectSame(specimens, XMLDataTransformer(), "xml")
    }

    @Test("Binary property lists", .enabled(if: has(module: "plistlib"), "no python3"))
    func binary() throws {
        let specimens = Specimen.edges().filter { $0.text != "$null" }
            .filter { $0.seen < Date(timeIntervalSince1970: 253_402_300_799) }
        try expectSame(specimens, BinaryPropertyListDataTransformer(), "plist")
    }

    @Test("CBOR", .enabled(if: has(module: "cbor2"), "no python3 with cbor2: pip install cbor2"))
    func cbor() throws {
        // Python's dates end with the year 9999.
        let specimens = Specimen.edges()
            .filter { $0.seen < Date(timeIntervalSince1970: 253_402_300_799) }
        try expectSame(specimens, CBORDataTransformer(), "cbor")
    }
}
