internal import Foundation
internal import RepositoryGeneratorCore

/// The folders and files to watch in their present state, and a hash that changes with them.
///
/// Creating it lists every folder and examines every entry, but reads no files. Hidden files and
/// folders are ignored.
struct WatchedTree {
    /// The root folders and all their subfolders, without hidden ones.
    private(set) var folders: [String] = []
    /// The schema and template files in the folders.
    private(set) var files: [String] = []
    /// The hash of all paths, inodes, sizes and modification times.
    let mark: UInt64

    /// Lists the root folders. A missing folder is ignored.
    init(_ roots: [String]) {
        var hasher = XXHash64()
        for root in roots { Self.look(root, &folders, &files, &hasher) }
        mark = hasher.digest()
    }

    /// The file name extensions of schemas and templates.
    private static let watchedEndings = [".yaml", ".yml", ".mustache"]

    /// Adds a folder, its files and its subfolders to the lists and to the hash.
    private static func look(
        _ folder: String, _ folders: inout [String], _ files: inout [String],
        _ hasher: inout XXHash64
    ) {
        // A folder that is missing or unreadable is skipped; the run that follows reports it.
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
            // Files that editors create next to a schema are ignored.
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
