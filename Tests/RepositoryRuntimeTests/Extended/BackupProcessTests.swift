import Foundation
import Testing

/// Backups in programs that are killed, or whose disk is full.
@Suite("Backups of processes")
struct BackupProcessTests {
    private static let isLong = ProcessInfo.processInfo.environment["REPOSITORY_LONG"] == "1"
    private static let kinds = ["filesJSON", "sqlite", "userDefaults"]

    @Test("A backup on a full disk throws and leaves nothing", arguments: kinds)
    func fullDisk(_ kind: String) throws {
        let (place, target) = (StorePlaceName(kind), TemporaryFolder())
        try target.write("", to: "kept")
        let lines = try Workers.run([["full", kind, place.name, target.url.path]])
        #expect(lines == ["databaseError"])
        #expect(target.names() == ["kept"])
    }

    @Test("A killed backup leaves a whole one or none", arguments: kinds)
    func killed(_ kind: String) async throws {
        var restored = 0
        for round in 0..<(Self.isLong ? 40 : 3) {
            let (place, target) = (StorePlaceName(kind), TemporaryFolder())
            try target.write("", to: "kept")
            let process = Process()
            process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
                .deletingLastPathComponent().appendingPathComponent("store-worker")
            process.arguments = ["backups", kind, place.name, target.url.path]
            let input = Pipe()
            process.standardInput = input
            process.standardOutput = Pipe()
            try process.run()
            try input.fileHandleForWriting.write(contentsOf: Data("go\n".utf8))
            // Later if the machine is busy: the first backup is there.
            while target.names().count < 2 + round % 3, process.isRunning { usleep(2_000) }
            usleep(UInt32(round * 7_000 % 60_000))
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
            for name in target.names() where Int(name) != nil {
                let copy = StorePlaceName(kind)
                let lines = try Workers.run([
                    ["restore", kind, copy.name, target.path(name)]
                ])
                #expect(lines == ["alike"], "\(kind) \(name)")
                restored += 1
            }
        }
        #expect(restored > 0)
    }
}
