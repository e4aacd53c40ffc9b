import Foundation
import Testing

/// Many stores in one process, in a program of its own, so that no other test opens files.
@Suite("Many stores")
struct ManyStoreTests {
    private static let isLong = ProcessInfo.processInfo.environment["REPOSITORY_LONG"] == "1"
    /// The stores of `DurableStore` that differ in what they keep open.
    private static let kinds = ["filesJSON", "sqlite", "userDefaults"]

    @Test("Closed stores leave no descriptors and no threads", arguments: kinds)
    func inTurn(_ kind: String) throws {
        let place = StorePlaceName(kind)
        let count = Self.isLong ? 10_000 : 150
        let lines = try Workers.run([["many", kind, place.name, "\(count)"]])
        let counts = try #require(lines.first).split(separator: " ").compactMap { Int($0) }
        try #require(counts.count == 4)
        if Self.isLong {
            print(
                "\(kind): after 20 opens and closes \(counts[0]) descriptors and \(counts[1]) threads;",
                "after \(count) more \(counts[2]) descriptors and \(counts[3]) threads")
        }
        #expect(counts[2] == counts[0])
        // A thread of the system's pool ends when it has been idle for some seconds.
        #expect(counts[3] <= counts[1] + 64)
    }

    @Test("More stores are open than the process may open files", arguments: kinds)
    func atOnce(_ kind: String) throws {
        let place = StorePlaceName(kind)
        let lines = try Workers.run([["crowd", kind, place.name, "80"]])
        #expect(lines == ["240"])
    }

    @Test("Every error of a process without descriptors is of the repositories", arguments: kinds)
    func withoutDescriptors(_ kind: String) throws {
        let place = StorePlaceName(kind)
        let lines = try Workers.run([["poor", kind, place.name, "1"]])
        #expect(lines == ["ok"])
    }
}
