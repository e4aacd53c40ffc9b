internal import Foundation
internal import RepositoryGeneratorCore

/// What stands below some folders now: what to watch, and a mark that differs after a change.
struct WatchedTree {
    /// The folders themselves and all below them.
    private(set) var folders: [String] = []
    /// The files in them.
    private(set) var files: [String] = []
    /// The hash of all paths, inodes, sizes and times.
    let mark: UInt64

    /// Looks at folders; one that is not there is none.
    init(_ roots: [String]) {
        var hasher = XXHash64()
        for root in roots { Self.look(root, &folders, &files, &hasher) }
        mark = hasher.digest()
    }

    /// How the names of schemas and templates end.
    private static let watchedEndings = [".yaml", ".yml", ".mustache"]

    private static func look(
        _ folder: String, _ folders: inout [String], _ files: inout [String],
        _ hasher: inout XXHash64
    ) {
        // A folder that is gone, or that nobody may read, has no names; the run that follows says so.
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
            return
        }
        folders.append(folder)
        hasher.update(folder)
        for name in names.sorted() where !name.hasPrefix(".") {
            let path = Locations.path(folder, name)
            var information = stat()
            guard lstat(path, &information) == 0 else { continue }
            if information.st_mode & S_IFMT == S_IFDIR {
                look(path, &folders, &files, &hasher)
                continue
            }
            // What editors leave beside a file is nobody's schema.
            guard watchedEndings.contains(where: name.hasSuffix) else { continue }
            files.append(path)
            #if canImport(Darwin)
                let modified = information.st_mtimespec
            #else
                let modified = information.st_mtim
            #endif
            hasher.update(path)
            hasher.update(
                "\(information.st_ino) \(information.st_size) \(modified.tv_sec) \(modified.tv_nsec)"
            )
        }
    }
}
