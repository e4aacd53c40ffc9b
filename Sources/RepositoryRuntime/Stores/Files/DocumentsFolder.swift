package import Foundation

/// The user's documents folder, the default parent folder of repositories.
///
/// On Apple's systems it is the folder that `FileManager` returns. On Linux it is the first of:
///
/// - `XDG_DOCUMENTS_DIR` in the environment
/// - `XDG_DOCUMENTS_DIR` in the file `user-dirs.dirs` in `XDG_CONFIG_HOME` or `~/.config`, as
///   defined by the XDG user directories
/// - `Documents` in `HOME`
///
/// `FileManager` on Linux ignores both `HOME` and `XDG_DOCUMENTS_DIR`.
package enum DocumentsFolder {
    /// The URL of the folder, which may not exist.
    package static var url: URL {
        #if os(Linux)
            url(environment: ProcessInfo.processInfo.environment)
        #else
            FileManager.default.urls(for: .documentDirectory, in: .userDomainMask).first
                ?? URL(fileURLWithPath: NSHomeDirectory()).appendingPathComponent("Documents")
        #endif
    }

    /// The folder for the given environment variables.
    static func url(environment: [String: String]) -> URL {
        let home = absolute(environment["HOME"]) ?? NSHomeDirectory()
        if let path = absolute(environment["XDG_DOCUMENTS_DIR"]) { return folder(path) }
        let settings = absolute(environment["XDG_CONFIG_HOME"]) ?? home + "/.config"
        // The file is optional; most systems do not have it.
        let text = try? String(contentsOfFile: settings + "/user-dirs.dirs", encoding: .utf8)
        for line in (text ?? "").split(separator: "\n") {
            let parts = line.split(separator: "=", maxSplits: 1)
            guard parts.count == 2,
                parts[0].trimmingCharacters(in: .whitespaces) == "XDG_DOCUMENTS_DIR"
            else { continue }
            let value = parts[1].trimmingCharacters(in: CharacterSet(charactersIn: "\" \t"))
            let path = value.hasPrefix("$HOME") ? home + value.dropFirst(5) : value
            if let path = absolute(path) { return folder(path) }
        }
        return folder(home + "/Documents")
    }

    /// The path, if it is absolute. The XDG specification ignores relative paths.
    private static func absolute(_ path: String?) -> String? {
        path.flatMap { $0.hasPrefix("/") ? $0 : nil }
    }

    private static func folder(_ path: String) -> URL {
        URL(fileURLWithPath: path, isDirectory: true)
    }
}
