import CrashLedger
import Foundation
import RepositoryRuntime
import RepositoryTesting

/// Makes backups of notes that each transaction leaves alike.
struct BackupWriter {
    private static let notes = (0..<40).map { Note.ID("\($0)") }
    private let library: Conformance
    private let target: String

    init?(_ arguments: ArraySlice<String>) {
        let arguments = Array(arguments)
        guard arguments.count == 3, let kind = DurableStore(rawValue: arguments[0]) else {
            return nil
        }
        library = Conformance.ledger(kind.make(at: arguments[1]))
        target = arguments[2]
    }

    private func change(to number: Int) async throws {
        _ = try await library.notes.saveAll(
            Self.notes.map {
                Note(id: $0, text: String(repeating: "\(number) ", count: 50), rank: number)
            })
    }

    /// Changes all notes, and makes one backup after another, until it is killed.
    func write() async throws -> String {
        try await change(to: 0)
        let writer = Task {
            for number in 1... { try await change(to: number) }
        }
        for number in 0... {
            try await library.backup(to: URL(filePath: "\(target)/\(number)"))
        }
        try await writer.value
        return "never"
    }

    /// Restores a backup, and says whether all notes are alike.
    func restore() async throws -> String {
        try await library.restore(from: URL(filePath: target))
        let notes = try await library.notes.fetch()
        let check = try await library.check()
        return notes.count == Self.notes.count && Set(notes.map(\.rank)).count == 1
            && Set(notes.map(\.text)).count == 1 && check.problems.isEmpty
            ? "alike" : "\(notes.count) \(Set(notes.map(\.rank))) \(check.problems)"
    }

    /// Makes a backup while no file can grow, and says the code of the error.
    func fullDisk() async throws -> String {
        try await change(to: 1)
        signal(SIGXFSZ, SIG_IGN)
        let limit = Self.limitFiles(to: 64)
        var code = "none"
        do {
            try await library.backup(to: URL(filePath: target + "/backup"))
        } catch let error as CRUDRepositoryError {
            code = error.code.rawValue
        }
        _ = Self.limitFiles(to: limit)
        guard try await library.notes.count() == Self.notes.count else { return "lost" }
        try await change(to: 2)
        return code
    }

    /// Sets the greatest size of a file, and returns the size before.
    private static func limitFiles(to size: rlim_t) -> rlim_t {
        var limits = rlimit()
        #if canImport(Glibc)
            let resource = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
        #else
            let resource = RLIMIT_FSIZE
        #endif
        getrlimit(resource, &limits)
        defer {
            limits.rlim_cur = size
            setrlimit(resource, &limits)
        }
        return limits.rlim_cur
    }
}
