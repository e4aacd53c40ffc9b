import Foundation
import RepositoryRuntime
import Testing

/// Several runs of the program `store-worker` at once.
struct Workers {
    /// Starts one for each list of arguments, lets them go together, and returns their lines.
    static func run(_ arguments: [[String]]) throws -> [String] {
        let folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        var running: [(process: Process, input: Pipe, output: Pipe)] = []
        for list in arguments {
            let process = Process()
            process.executableURL = folder.appendingPathComponent("store-worker")
            process.arguments = list
            let (input, output) = (Pipe(), Pipe())
            process.standardInput = input
            process.standardOutput = output
            try process.run()
            running.append((process, input, output))
        }
        for (_, input, _) in running {
            try input.fileHandleForWriting.write(contentsOf: Data("go\n".utf8))
        }
        return try running.map { process, _, output in
            let data = try output.fileHandleForReading.readToEnd() ?? Data()
            process.waitUntilExit()
            return String(decoding: data, as: UTF8.self)
                .trimmingCharacters(in: .whitespacesAndNewlines)
        }
    }
}

@Suite("Several processes and one place")
struct StoreProcessTests {
    @Test("Of four processes that create one file record one wins")
    func files() async throws {
        let folder = TemporaryFolder()
        for round in 0..<5 {
            let lines = try Workers.run(
                (0..<4).map { ["create", folder.url.path, "one-\(round)", "\($0)"] })
            #expect(lines.sorted() == ["lost", "lost", "lost", "won"])
            let repository = FileSystemRepository(
                directoryURL: folder.url, dataTransformer: JSONDataTransformer())
            let winner: String = try await repository.read(id: "one-\(round)")
            #expect(lines[Int(winner) ?? 0] == "won")
        }
    }

    @Test("Three processes lose nothing of each other's in one suite of user defaults")
    func userDefaults() async throws {
        let suite = TemporarySuite()
        let names = ["x", "y", "z"]
        let lines = try Workers.run(names.map { ["defaults", suite.name, $0, "20"] })
        let won = lines.compactMap(Int.init)
        #expect(won.count == 3 && won.reduce(0, +) == 20, "\(lines)")
        let repository = UserDefaultsRepository(
            tableName: "shared", suiteName: suite.name, dataTransformer: JSONDataTransformer())
        for number in 0..<20 {
            let winner: String = try await repository.read(id: "common-\(number)")
            for name in names {
                let value: Int = try await repository.read(id: "\(name)-\(number)")
                #expect(value == (name == winner ? number : -number))
                #expect(
                    suite.defaults.data(forKey: "database_shared_item_\(name)-\(number)") != nil)
            }
        }
    }
}
