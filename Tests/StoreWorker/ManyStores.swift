import CrashLedger
import Foundation
import RepositoryRuntime
import RepositoryTesting

/// Opens and closes many stores, or keeps many open, and looks at the files of the process.
struct ManyStores {
    private let kind: DurableStore
    private let place: String
    private let count: Int

    init?(_ arguments: ArraySlice<String>) {
        let arguments = Array(arguments)
        guard arguments.count == 3, let kind = DurableStore(rawValue: arguments[0]),
            let count = Int(arguments[2])
        else { return nil }
        (self.kind, place, self.count) = (kind, arguments[1], count)
    }

    /// Opens, writes, reads and closes one store after another at one place; says how many
    /// descriptors and threads there are after the first ones, and after all.
    func inTurn() async throws -> String {
        for number in 0..<20 { try await use(number) }
        await settle()
        let before = (Self.descriptors, Self.threads)
        for number in 0..<count { try await use(number) }
        await settle()
        return "\(before.0) \(before.1) \(Self.descriptors) \(Self.threads)"
    }

    private func use(_ number: Int) async throws {
        let library = Conformance.ledger(kind.make(at: place))
        let id = Note.ID("\(number % 10)")
        try await library.notes.save(Note(id: id, text: "\(number)"))
        _ = try await library.notes.read(id)
        try await library.close()
    }

    /// Lets what ends in the background end.
    private func settle() async {
        for _ in 0..<100 where Self.descriptors > 40 {
            try? await Task.sleep(for: .milliseconds(10))
        }
    }

    /// Keeps many stores open at places of their own, while the process may open few files; says
    /// how many of them could be written and read, twice in turn.
    func atOnce() async throws -> String {
        Self.limitDescriptors(to: 64)
        let stores = try (0..<count).map { number in
            let folder = place + "/\(number)"
            if kind != .userDefaults {
                try FileManager.default.createDirectory(
                    atPath: folder, withIntermediateDirectories: true)
            }
            return Conformance.ledger(
                kind.make(at: kind == .userDefaults ? "\(place).\(number)" : folder))
        }
        var used = 0
        for round in 0..<2 {
            for library in stores {
                try await library.notes.save(Note(id: "a", text: "\(round)"))
                if try await library.notes.read("a").text == "\(round)" { used += 1 }
            }
        }
        // Nobody writes to a store through a connection that was closed in between.
        for library in stores where try await library.notes.count() == 1 { used += 1 }
        for library in stores { try await library.close() }
        return "\(used)"
    }

    /// Uses stores while the process cannot open another file; says which errors were none of the
    /// repository's.
    func withoutDescriptors() async throws -> String {
        let library = Conformance.ledger(kind.make(at: place))
        try await library.notes.save(Note(id: "a", text: ""))
        // libdispatch opens what its timers need with the first one, and ends the process if it cannot. Whoever waits for a
        // lock, which happens on a busy machine only, needs one.
        try await Task.sleep(for: .milliseconds(1), clock: .continuous)
        try await Task.sleep(for: .milliseconds(1), clock: .suspending)
        Self.limitDescriptors(to: 64)
        var foreign: Set<String> = []
        var failed = 0
        for spare in 0..<8 {
            let taken = Self.takeDescriptors(leaving: spare)
            let other = Conformance.ledger(kind.make(at: place))
            let calls: [() async throws -> Void] = [
                { try await other.notes.save(Note(id: "b", text: "")) },
                { _ = try await other.notes.read("a") },
                { _ = try await other.notes.fetch() },
                { _ = try await other.notes.ids() },
                { _ = try await other.notes.fetch(.where { $0.rank > 1 }) },
                { try await other.transaction { try await $0.notes.delete("b") } },
                { _ = try await other.context.store.snapshot() },
                { _ = try await other.context.store.externalState() },
                { _ = try await other.migrationPlan() },
                { try await other.rebuildIndexes() },
                { _ = try await library.notes.fetch() },
                { try await library.notes.save(Note(id: "c", text: "\(spare)")) },
                { try await other.close() },
            ]
            for (number, call) in calls.enumerated() {
                do {
                    try await call()
                } catch is CRUDRepositoryError {
                    failed += 1
                } catch {
                    foreign.insert("call \(number): \(error)")
                }
            }
            for file in taken { Foundation.close(file) }
        }
        try await library.notes.save(Note(id: "d", text: ""))
        return foreign.isEmpty && failed > 0 ? "ok" : "\(failed) \(foreign.sorted())"
    }

    /// Opens files until the process can open only a number of them.
    private static func takeDescriptors(leaving spare: Int) -> [Int32] {
        var taken: [Int32] = []
        while true {
            let file = Foundation.open("/dev/null", O_RDONLY)
            if file < 0 { break }
            taken.append(file)
        }
        for _ in 0..<min(spare, taken.count) { Foundation.close(taken.removeLast()) }
        return taken
    }

    private static func limitDescriptors(to number: Int) {
        var limits = rlimit()
        #if canImport(Glibc)
            let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
            let resource = RLIMIT_NOFILE
        #endif
        getrlimit(resource, &limits)
        limits.rlim_cur = rlim_t(number)
        setrlimit(resource, &limits)
    }

    /// The number of files that the process has open.
    private static var descriptors: Int { entries("/proc/self/fd", "/dev/fd") }

    /// The number of threads of the process; 0 where the system does not list them.
    private static var threads: Int { entries("/proc/self/task", "/nowhere") }

    private static func entries(_ linux: String, _ other: String) -> Int {
        let manager = FileManager.default
        let folder = manager.fileExists(atPath: linux) ? linux : other
        return (try? manager.contentsOfDirectory(atPath: folder).count) ?? 0
    }
}
