internal import Foundation

extension FileDriver: MigratingDriver {
    var volumePath: String { layout.root }

    func markMigration(_ isRunning: Bool) { noteHolder(isMigrating: isRunning) }

    /// Copies the folder. Links and other special files are left out, and so are the lock files.
    func copy(to url: URL, _ check: () throws -> Void) throws {
        let target = url.standardizedFileURL.path
        guard !(target + "/").hasPrefix(layout.root + "/") else {
            throw CRUDRepositoryError.unsupported(
                "a copy of its folder inside the folder", by: name)
        }
        try WholeCopy.write(to: url) { path in
            try copyFolder(layout.root, to: path, isRoot: true, check)
        }
    }

    private func copyFolder(
        _ source: String, to target: String, isRoot: Bool, _ check: () throws -> Void
    ) throws {
        let manager = FileManager.default
        try manager.createDirectory(atPath: target, withIntermediateDirectories: false)
        for name in try manager.contentsOfDirectory(atPath: source) {
            try check()
            let (from, to) = (source + "/" + name, target + "/" + name)
            var status = stat()
            guard lstat(from, &status) == 0 else { continue }
            switch status.st_mode & S_IFMT {
            case S_IFDIR: try copyFolder(from, to: to, isRoot: false, check)
            case S_IFREG where !isLocal(from):
                try manager.copyItem(atPath: from, toPath: to)
                try DiskSync.file(to)
            default: continue
            }
        }
        try DiskSync.entries(of: target)
    }

    /// Whether a file has a meaning only while a program runs.
    private func isLocal(_ path: String) -> Bool {
        let own = layout.root + "/" + layout.ownFolder + "/"
        guard path.hasPrefix(own) else { return false }
        let name = path.dropFirst(own.count)
        return name == "lock" || name == "batches" || name.hasPrefix(Self.temporaryPrefix)
    }
}
