#if Compression
    import Foundation
    import Generated
    import RepositoryRuntime
    import Testing

    @testable import RepositoryCompression

    /// Compression with gzip.
    @Suite struct GzipTests {
        private static let samples: [Data] = [
            Data(), Data([0]), Data(repeating: 65, count: 1 << 20), Self.noise(1),
            Self.noise(70_000),
        ]

        /// Bytes that do not compress.
        private static func noise(_ count: Int) -> Data {
            var state: UInt64 = 88_172_645_463_325_252
            return Data(
                (0..<count).map { _ in
                    state ^= state << 13
                    state ^= state >> 7
                    state ^= state << 17
                    return UInt8(truncatingIfNeeded: state >> 24)
                })
        }

        @Test(arguments: samples) func bytesComeBack(_ bytes: Data) throws {
            for level in [1, 6, 9] {
                let compressed = try Gzip.compressed(bytes, level: level)
                #expect(try Gzip.decompressed(compressed, maximumSize: bytes.count) == bytes)
                #expect(compressed.count < bytes.count / 100 || compressed.count < bytes.count + 64)
            }
        }

        @Test func everyTruncationAndEveryChangeIsAnError() throws {
            let bytes = Data("Ursula K. Le Guin, The Dispossessed, The Dispossessed".utf8)
            let compressed = try Gzip.compressed(bytes, level: 6)
            for count in 0..<compressed.count {
                #expect(throws: RecordDecodingError.self) {
                    try Gzip.decompressed(compressed.prefix(count), maximumSize: 1000)
                }
            }
            #expect(throws: RecordDecodingError.self) {
                try Gzip.decompressed(compressed + [0], maximumSize: 1000)
            }
            for position in compressed.indices {
                var changed = compressed
                changed[position] ^= 0x10
                // Some bits of the header mean nothing, such as the time.
                if let read = try? Gzip.decompressed(changed, maximumSize: 1000) {
                    #expect(read == bytes && position < 10)
                }
            }
        }

        @Test func fewBytesDoNotFillTheMemory() throws {
            let bomb = try Gzip.compressed(Data(count: 64 << 20), level: 9)
            #expect(bomb.count < 100_000)
            #expect(throws: RecordDecodingError.self) {
                try Gzip.decompressed(bomb, maximumSize: 1 << 20)
            }
            let transformer = CompressedTransformer(JSONDataTransformer(), maximumSize: 10)
            #expect(throws: CRUDRepositoryError.self) {
                try transformer.wrap(Data(count: 11), at: .none)
            }
            #expect(
                try transformer.unwrap(transformer.wrap(Data(count: 10), at: .none), at: .none)
                    .count == 10)
        }

        @Test func filesAreGzipFiles() async throws {
            let folder = TestFolder()
            let store = FileSystemStore(
                directory: folder.url, transformer: CompressedTransformer(JSONDataTransformer()))
            let author = try await Library(store).authors.create(Author(name: "Ursula"))
            let file = try #require(try folder.file("authors", author.id.description))
            let process = Process()
            let output = Pipe()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = ["gzip", "-dc", file.path]
            process.standardOutput = output
            try process.run()
            let data = try output.fileHandleForReading.readToEnd() ?? Data()
            process.waitUntilExit()
            #expect(process.terminationStatus == 0)
            #expect(
                try JSONDecoder().decode(Author.self, from: data).name == author.name)
        }
    }
#endif
