internal import Foundation

extension UserDefaultsStore {
    /// Removes a suite with everything that stores keep beside it, such as its lock.
    ///
    /// - Parameter suiteName: the name of the suite, which no store may be using.
    /// - Throws: errors of `FileManager`.
    package static func remove(suiteName: String) throws {
        UserDefaults(suiteName: suiteName)?.removePersistentDomain(forName: suiteName)
        let folder = DefaultsFolder.url(suiteName: suiteName)
        let beside = folder.appending(path: "swift-repositories")
            .appending(path: FileNamePart(suiteName).encoded)
        for url in [folder.appending(path: suiteName + ".plist"), beside]
        where FileManager.default.fileExists(atPath: url.path) {
            try FileManager.default.removeItem(at: url)
        }
    }
}
