package import Foundation

/// The user's documents folder: where repositories put their files unless they are told otherwise.
///
/// On Apple's systems it is the one that `FileManager` names. On Linux, in this order: the environment's
/// `XDG_DOCUMENTS_DIR`; the line `XDG_DOCUMENTS_DIR` of `user-dirs.dirs` in `XDG_CONFIG_HOME` or `~/.config`, as the
/// XDG user directories are defined; `Documents` in `HOME`. `FileManager` heeds neither `HOME` nor that variable there.
package enum DocumentsFolder {
    /// The folder; it need not exist.
    package static var url: URL {
        #if os(Linux)
            url(environment: ProcessInfo.processInfo.environment)
        #else
            FileManager.default.urls(for: .documentDirectory, in: .userDomainMask).first
                ?? URL(fileURLWithPath: NSHomeDirectory()).appendingPathComponent("Documents")
        #endif
    }

    /// The folder as a given environment says it.
    static func url(environment: [String: String]) -> URL {
        let home = absolute(environment["HOME"]) ?? NSHomeDirectory()
        if let path = absolute(environment["XDG_DOCUMENTS_DIR"]) { return folder(path) }
        let settings = absolute(environment["XDG_CONFIG_HOME"]) ?? home + "/.config"
        // Most systems have no such file.
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

    private static func absolute(_ path: String?) -> String? {
        path.flatMap { $0.hasPrefix("/") ? $0 : nil }
    }

    private static func folder(_ path: String) -> URL {
        URL(fileURLWithPath: path, isDirectory: true)
    }
}
