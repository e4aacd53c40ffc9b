import CrashLedger
import Foundation

@testable import RepositoryRuntime

/// Where a store of a test lies; removed with the object.
final class CrashPlace: Sendable {
    /// What the store is made at: a folder, or a suite.
    let text: String
    private let kind: DurableStore

    init(_ kind: DurableStore) throws {
        self.kind = kind
        let name = "crash-tests-\(UUID().uuidString)"
        if kind == .userDefaults {
            text = name
        } else {
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent(name)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            text = folder.path
        }
    }

    deinit {
        guard kind == .userDefaults else {
            try? FileManager.default.removeItem(atPath: text)
            return
        }
        UserDefaults(suiteName: text)?.removePersistentDomain(forName: text)
        let folder = DefaultsFolder.url(suiteName: text)
        let beside = folder.appendingPathComponent("swift-repositories")
            .appendingPathComponent(FileNamePart(text).encoded)
        try? FileManager.default.removeItem(at: folder.appendingPathComponent(text + ".plist"))
        try? FileManager.default.removeItem(at: beside)
    }
}
