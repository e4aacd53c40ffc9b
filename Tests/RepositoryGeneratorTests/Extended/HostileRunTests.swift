import Foundation
import Testing

@testable import repository_generator

/// Runs that meet each other, or end where they should not.
@Suite("hostile runs", .enabled(if: CommandLineTests.isBuilt))
struct HostileRunTests {
    private static let count = 20

    /// Schemas of many entities with one field.
    private func schemas(_ field: String) -> [String: String] {
        Dictionary(
            uniqueKeysWithValues: (0..<Self.count).map { number in
                let name = "Thing\(UnicodeScalar(UInt8(ascii: "A") + UInt8(number)))x"
                return ("\(name).yaml", "entity: \(name)\nfields: { \(field): Int }\n")
            })
    }

    private func outputs(_ shop: Workshop) throws -> [String: String] {
        let folder = shop.root.appending(path: "Generated").path
        guard FileManager.default.fileExists(atPath: folder) else { return [:] }
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
            .filter { $0.hasSuffix(".generated.swift") }
        return try Dictionary(
            uniqueKeysWithValues: names.map { ($0, try shop.text("Generated/\($0)")) })
    }

    @Test("several runs at once leave what one leaves")
    func atOnce() async throws {
        let (shop, alone) = (try Workshop(schemas("one")), try Workshop(schemas("one")))
        #expect(alone.generate() == .success)
        let programs = try (0..<4).map { _ in
            try StartedProgram(["generate"], in: shop.root)
        }
        for program in programs { #expect(try await program.end() == 0) }
        #expect(try outputs(shop) == outputs(alone))
        #expect(shop.check() == .success)
    }

    @Test("a run that is killed leaves old files or new ones, and the next one mends all")
    func killed() async throws {
        let texts = try ["old", "new"].map { field in
            let shop = try Workshop(schemas(field))
            #expect(shop.generate() == .success)
            return try outputs(shop)
        }
        let shop = try Workshop(schemas("old"))
        #expect(shop.generate() == .success)
        let seed = UInt64.random(in: 0...UInt64.max)
        var state = seed
        for round in 1...12 {
            for (name, text) in schemas(round % 2 == 1 ? "new" : "old") {
                try shop.write(text, to: "Schemas/\(name)")
            }
            let program = try StartedProgram(["generate"], in: shop.root)
            // A linear congruential generator: the seed repeats the moments as far as the machine does.
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            try await Task.sleep(for: .microseconds(Int64(state >> 33) % 150_000))
            program.send(SIGKILL)
            _ = try await program.end()
            for (name, text) in try outputs(shop) {
                #expect(
                    text == texts[0][name] || text == texts[1][name],
                    "\(name) is neither old nor new in round \(round) with seed \(seed)")
            }
        }
        #expect(shop.generate() == .success)
        #expect(try outputs(shop) == texts[0])
        #expect(shop.check() == .success)
    }

    @Test("a full disk fails, and leaves no half of a file")
    func fullDisk() async throws {
        let shop = try Workshop(schemas("old"))
        #expect(shop.generate() == .success)
        let before = try outputs(shop)
        for (name, text) in schemas("new") { try shop.write(text, to: "Schemas/\(name)") }
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(filePath: "/bin/sh")
        process.currentDirectoryURL = shop.root
        // Files longer than two blocks cannot be written; the signal that says so is not to end the program.
        process.arguments = [
            "-c", "trap '' XFSZ; ulimit -f 2; exec \"$0\" generate", CommandLineTests.program.path,
        ]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = pipe
        try process.run()
        let problems = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        #expect(process.terminationStatus == 3)
        #expect(String(decoding: problems, as: UTF8.self).contains("cannot be written"))
        #expect(try outputs(shop) == before)
        let names = try FileManager.default.contentsOfDirectory(
            atPath: shop.root.appending(path: "Generated").path)
        #expect(names.count == before.count)
        #expect(shop.generate() == .success)
        #expect(shop.check() == .success)
    }

    @Test("an output folder that cannot be written to fails", .enabled(if: geteuid() != 0))
    func readOnly() throws {
        let shop = try Workshop()
        try shop.write("", to: "Generated/x")
        let folder = shop.root.appending(path: "Generated").path
        #expect(chmod(folder, 0o555) == 0)
        #expect(shop.generate() == .unreadable)
        #expect(shop.complaints.contains("cannot be written"))
        #expect(chmod(folder, 0o755) == 0)
        #expect(shop.generate() == .success)
    }
}
