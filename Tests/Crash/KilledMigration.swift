import CrashLedger
import Foundation
import RepositoryRuntime
import RepositoryTesting
import Testing

/// Items of version 1 at one place, and the program of version 2 that is killed while it migrates
/// them.
final class KilledMigration {
    let kind: DurableStore
    let wish: MigrationWish
    let place: CrashPlace
    /// The number of items, and of marks.
    let count: Int
    /// A folder for the copy of the data, or for the file of what is set aside.
    private let folder: URL
    /// Whether the program ended by itself.
    private(set) var isFinished = false
    /// How long the program was migrating.
    private(set) var microseconds: Int64 = 0

    /// Stores old records.
    init(_ kind: DurableStore, _ wish: MigrationWish, _ count: Int) async throws {
        self.kind = kind
        self.wish = wish
        self.count = count
        place = try CrashPlace(kind)
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("killed-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let old = try oldItems(at: place.text)
        _ = try await old.createAll(MigratedItems.oldItems(count))
        let marks = VersionedRepository<MigratedItems.Mark>(old.context)
        _ = try await marks.createAll(MigratedItems.oldMarks(count))
        let tags = VersionedRepository<MigratedItems.Tag>(old.context)
        _ = try await tags.createAll(MigratedItems.oldTags(count))
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// The copy of the data, or the file of what is set aside.
    var path: String {
        // The store in a folder has the name of the file.
        let name = kind == .sqlite && wish == .copy ? "ledger.sqlite" : "written"
        return folder.appendingPathComponent(name).path
    }

    private func oldItems(at place: String) throws -> VersionedRepository<MigratedItems.Old> {
        VersionedRepository(
            RepositoryContext(store: kind.make(at: place), schema: try MigratedItems.old()))
    }

    /// Lets a program migrate the records.
    ///
    /// - Parameter delay: the microseconds before it is killed; nil if it may end.
    func run(killedAfter delay: UInt32?) async throws {
        let arguments = ["migrate", kind.rawValue, place.text, wish.rawValue, path]
        (isFinished, microseconds) = try await onOwnThread {
            let child = try ChildProcess(arguments)
            child.go()
            #expect(child.line() == "opening")
            let began = ContinuousClock.now
            if let delay {
                usleep(delay)
                child.end()
            }
            let isFinished = child.line() == "done"
            let time = (ContinuousClock.now - began).components
            child.end()
            return (isFinished, time.seconds * 1_000_000 + time.attoseconds / 1_000_000_000_000)
        }
    }

    /// Returns whether the program of version 1 finds its records, all of them; false if the data
    /// is that of version 2.
    func hasOldRecords() async throws -> Bool {
        do {
            try await checkOld(at: place.text)
            return true
        } catch let error as CRUDRepositoryError where error.code == .schemaMismatch {
            return false
        }
    }

    private func checkOld(at place: String) async throws {
        let old = try oldItems(at: place)
        let items = try await old.fetch()
        #expect(items == MigratedItems.oldItems(count))
        let marks = VersionedRepository<MigratedItems.Mark>(old.context)
        #expect(try await marks.fetch() == MigratedItems.oldMarks(count))
        let tags = VersionedRepository<MigratedItems.Tag>(old.context)
        #expect(try await tags.fetch() == MigratedItems.oldTags(count))
    }

    /// Migrates what is left, with the same wish unless its copy is there already.
    func finish() async throws {
        var control = MigrationControl()
        let url = URL(fileURLWithPath: path)
        switch wish {
        case .plain: break
        case .copy:
            if !FileManager.default.fileExists(atPath: path) { control.backup = url }
        case .aside: control.unreadable = .setAside(url)
        }
        let context = RepositoryContext(
            store: kind.make(at: place.text),
            schema: try MigratedItems.new(refusing: wish == .aside))
        try await context.migrate(control)
        if control.backup != nil || wish == .aside {
            #expect(!FileManager.default.fileExists(atPath: path + ".unfinished"))
        }
    }

    /// Checks that the copy or the file is whole.
    func checkFile() async throws {
        switch (wish, kind) {
        case (.plain, _): break
        case (.copy, .sqlite): try await checkOld(at: folder.path)
        case (.copy, .filesJSON), (.copy, .filesCBOR):
            // Opening the copy changes it.
            let other = folder.appendingPathComponent("opened")
            try? FileManager.default.removeItem(at: other)
            try FileManager.default.copyItem(atPath: path, toPath: other.path)
            try await checkOld(at: other.path)
        case (.copy, .userDefaults):
            let data = try Data(contentsOf: URL(fileURLWithPath: path))
            let values = try PropertyListDecoder().decode([String: Data].self, from: data)
            let records = values.keys.count { $0.contains("items") || $0.contains("marks") }
            #expect(records >= 2 * count)
        #if PostgreSQL
            case (.copy, .postgresql): Issue.record("A server has no files here.")
        #endif
        case (.aside, _): try checkAside()
        }
    }

    private func checkAside() throws {
        let text = try String(contentsOf: URL(fileURLWithPath: path), encoding: .utf8)
        #expect(text.hasSuffix("\n"))
        let lines = try text.split(separator: "\n").map { line in
            try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
        }
        #expect(lines.first?["set"] as? String == "Items")
        let ids = lines.dropFirst().compactMap { $0["id"] as? String }.sorted()
        let refused = (0..<count).filter(MigratedItems.isRefused).map { "\(10_000 + $0)" }
        #expect(ids == refused)
    }
}
