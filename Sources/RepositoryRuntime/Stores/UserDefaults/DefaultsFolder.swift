internal import Foundation

/// The folder that contains user defaults. On systems where a daemon stores the values, a folder
/// for the lock and the write counters.
enum DefaultsFolder {
    /// Returns the folder for a suite, or for the program's own defaults if `suiteName` is nil.
    static func url(suiteName: String?) -> URL {
        #if os(Linux)
            return url(environment: ProcessInfo.processInfo.environment)
        #else
            let manager = FileManager.default
            if let suiteName,
                let group = manager.containerURL(forSecurityApplicationGroupIdentifier: suiteName)
            {
                // All programs that use the suite share this folder and no other.
                return group
            }
            return manager.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
                ?? URL(fileURLWithPath: NSHomeDirectory()).appendingPathComponent("Library")
        #endif
    }

    /// Returns the folder that Foundation uses on Linux with the given environment variables.
    static func url(environment: [String: String]) -> URL {
        func absolute(_ name: String) -> String? {
            environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil }
        }
        let home = absolute("CFFIXED_USER_HOME") ?? absolute("HOME") ?? NSHomeDirectory()
        return URL(
            fileURLWithPath: absolute("XDG_CONFIG_HOME") ?? home + "/.config", isDirectory: true)
    }
}
