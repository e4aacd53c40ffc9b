internal import Foundation

/// Where user defaults lie, or, where a daemon keeps them, where a lock beside them may lie.
enum DefaultsFolder {
    /// The folder for a suite, or for the program's own defaults when `suiteName` is nil.
    static func url(suiteName: String?) -> URL {
        #if os(Linux)
            return url(environment: ProcessInfo.processInfo.environment)
        #else
            let manager = FileManager.default
            if let suiteName,
                let group = manager.containerURL(forSecurityApplicationGroupIdentifier: suiteName)
            {
                // Programs that share a suite share this folder, and nothing else.
                return group
            }
            return manager.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
                ?? URL(fileURLWithPath: NSHomeDirectory()).appendingPathComponent("Library")
        #endif
    }

    /// The folder that Foundation uses on Linux in an environment.
    static func url(environment: [String: String]) -> URL {
        func absolute(_ name: String) -> String? {
            environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil }
        }
        let home = absolute("CFFIXED_USER_HOME") ?? absolute("HOME") ?? NSHomeDirectory()
        return URL(
            fileURLWithPath: absolute("XDG_CONFIG_HOME") ?? home + "/.config", isDirectory: true)
    }
}
