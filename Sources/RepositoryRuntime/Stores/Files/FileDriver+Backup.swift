internal import Foundation
internal import Synchronization

/// Backups of a folder.
///
/// A backup is a folder in the form of the store, with a ``BackupManifest``. Under the lock, each
/// file gets a second name in the unfinished backup, or is copied if the file system of the backup
/// has no such links. Records are never changed in place, so the links keep the state of that
/// moment. Afterwards, while writers go on, a copy replaces each link.
extension FileDriver: MaintainedDriver {
    func backUp(
        to url: URL, _ cancellation: CancellationFlag, _ release: () -> Void
    ) throws {
        let target = StoreFiles.resolved(url)
        guard !(target + "/").hasPrefix(layout.root + "/") else {
            throw CRUDRepositoryError.unsupported(
                "a backup inside the folder of the store", by: name)
        }
        try WholeCopy.write(.folder, to: URL(filePath: target)) { path in
            let names = BackupNames(self, path, cancellation)
            try withLock(cancellation) {
                try names.gather()
                let isInPlace = try filing { () throws(FileFailure) in try isLockInPlace() }
                guard isInPlace else {
                    throw CRUDRepositoryError(
                        .databaseError,
                        "Another program renamed or replaced the folder of the store during the backup.",
                        isRetryable: true)
                }
            }
            release()
            try names.copy()
        }
    }

    func verifyBackup(at url: URL, _ cancellation: CancellationFlag) throws {
        let backup = try BackupFolder(url)
        for file in backup.manifest.files {
            try cancellation.check()
            _ = try backup.contents(file)
        }
    }

    func requireEmpty(isRepeated: Bool) throws {
        try filing { () throws(FileFailure) in
            if isRepeated {
                // Only the note of the restore shows that the rest belongs to it.
                for path in try storedNames() { try removeTree(path) }
            }
            guard try storedNames().isEmpty else {
                throw FileFailure(operation: "restore into", path: "", code: ENOTEMPTY)
            }
        } orElse: { error in
            error.code == ENOTEMPTY ? .storeNotEmpty(name) : error.error()
        }
    }

    /// Runs file operations, and converts their failure with a function.
    private func filing(
        _ body: () throws(FileFailure) -> Void, orElse error: (FileFailure) -> CRUDRepositoryError
    ) throws(CRUDRepositoryError) {
        do throws(FileFailure) {
            try body()
        } catch let failure {
            throw error(failure)
        }
    }

    /// The paths of everything in the folder that is not the store's own, and of the own files that
    /// a store without data does not have.
    private func storedNames() throws(FileFailure) -> [String] {
        var paths: [String] = []
        for name in try held.namesIfPresent(in: "") where name != layout.ownFolder {
            paths.append(name)
        }
        for name in try held.namesIfPresent(in: layout.ownFolder) {
            let path = layout.ownFolder + "/" + name
            if isLocal(path) || path == notePath(DocumentStore<FileDriver>.restoreNote) { continue }
            paths.append(path)
        }
        return paths
    }

    func restore(from url: URL, _ cancellation: CancellationFlag) throws {
        let backup = try BackupFolder(url)
        var folders: Set<String> = []
        for file in backup.manifest.files where !isLocal(file.path) {
            try cancellation.check()
            let data = try backup.contents(file)
            let folder = StoreFiles.parts(file.path).folder
            try filing { () throws(FileFailure) in
                if folders.insert(folder).inserted { try held.makeFolders(folder) }
                let temporary = temporaryPath()
                try held.writeNew(data, to: temporary)
                try held.rename(temporary, to: file.path)
            }
        }
        try filing { () throws(FileFailure) in
            for folder in folders { try held.synchronizeFolder(folder) }
        }
    }

    /// Removes the temporary files of killed processes, and the files with the long ids of records
    /// that are no longer there.
    func compact() throws {
        try filing { () throws(FileFailure) in
            for name in try held.namesIfPresent(in: layout.ownFolder)
            where name.utf8.starts(with: Self.temporaryPrefix.utf8) {
                try removeTree(layout.ownFolder + "/" + name)
            }
            for folder in try held.namesIfPresent(in: "") where folder != layout.ownFolder {
                guard try held.status(of: folder)?.kind == .folder else { continue }
                try removeIDFiles(in: folder)
            }
        }
    }

    /// Removes the files with long ids whose records are not there.
    private func removeIDFiles(in folder: String) throws(FileFailure) {
        let names = try held.namesIfPresent(in: folder)
        let isIDFile = { (name: String) in
            name.utf8.count == 71 && name.hasPrefix("id_") && name.hasSuffix(".txt")
        }
        guard names.contains(where: isIDFile) else { return }
        let hashes = Set(
            names.filter { $0.hasPrefix("item_%sha256_") }
                .map { $0.dropFirst("item_%sha256_".count).prefix(64) })
        for name in names where isIDFile(name) && !hashes.contains(name.dropFirst(3).prefix(64)) {
            try held.unlinkIfPresent(folder + "/" + name)
        }
    }
}

/// The files of a backup that is being restored.
private struct BackupFolder {
    let manifest: BackupManifest
    private let files: StoreFiles
    private let path: String

    /// Reads the manifest.
    ///
    /// - Throws: `invalidBackup`.
    init(_ url: URL) throws {
        path = StoreFiles.resolved(url)
        files = StoreFiles(root: path, operations: POSIXFileOperations(), keepsFolders: false)
        let data: Data?
        do {
            data = try files.contents(of: BackupManifest.path)
        } catch {
            throw CRUDRepositoryError.invalidBackup(
                path, "its manifest cannot be read", underlyingError: error)
        }
        guard let data else {
            throw CRUDRepositoryError.invalidBackup(
                path, "it has no manifest '\(BackupManifest.path)'")
        }
        guard let manifest = BackupManifest(data) else {
            throw CRUDRepositoryError.invalidBackup(path, "its manifest is damaged")
        }
        self.manifest = manifest
    }

    /// Reads a file.
    ///
    /// - Throws: `invalidBackup` if it is not there, or not as it was written.
    func contents(_ file: BackupManifest.File) throws -> Data {
        let data: Data?
        do {
            data = try files.contents(of: file.path)
        } catch {
            throw CRUDRepositoryError.invalidBackup(
                path, "the file '\(file.path)' cannot be read", underlyingError: error)
        }
        guard let data else {
            throw CRUDRepositoryError.invalidBackup(path, "the file '\(file.path)' is missing")
        }
        guard file.matches(data) else {
            throw CRUDRepositoryError.invalidBackup(path, "the file '\(file.path)' was changed")
        }
        return data
    }
}

/// The names of an unfinished backup: first links to the files of the store, then copies.
private final class BackupNames {
    private let driver: FileDriver
    /// The unfinished folder.
    private let target: String
    private let cancellation: CancellationFlag
    /// The files relative to both folders, and their folders.
    private var files: [String] = []
    private var folders: [String] = []

    init(_ driver: FileDriver, _ target: String, _ cancellation: CancellationFlag) {
        self.driver = driver
        self.target = target
        self.cancellation = cancellation
    }

    /// Gives each file of the store a name in the backup. The caller holds the lock.
    func gather() throws {
        var rest = [""]
        while let folder = rest.popLast() {
            var names: [String] = []
            try driver.filing { () throws(FileFailure) in
                names = try driver.held.namesIfPresent(in: folder)
            }
            for name in names {
                try cancellation.check()
                let path = folder.isEmpty ? name : folder + "/" + name
                if driver.isLocal(path) || path == BackupManifest.path { continue }
                let status = try driver.filing { () throws(FileFailure) in
                    try driver.held.status(of: path)
                }
                switch status?.kind {
                case .folder:
                    guard mkdir(target + "/" + path, 0o777) == 0 else {
                        throw failure(path, "created", errno)
                    }
                    folders.append(path)
                    rest.append(path)
                case .file: try add(path)
                // Links and special files are no records.
                default: continue
                }
            }
            // A folder that stays open would count against the limit of the writer.
            driver.held.closeFolders(keeping: ["", driver.layout.ownFolder])
        }
    }

    private func add(_ path: String) throws {
        let file = try driver.filing { () throws(FileFailure) in
            try driver.held.open(path, .read)
        }
        defer { Foundation.close(file) }
        let name = target + "/" + path
        files.append(path)
        // The counters of the writes are changed in place.
        let isReplaced = !path.hasSuffix(".writes")
        if isReplaced, link(driver.layout.root + "/" + path, name) == 0 {
            if Self.isSame(file, name) { return }
            // Another program moved the folder of the store meanwhile.
            unlink(name)
        }
        try FileCopy(file, path).write(to: name)
    }

    private static func isSame(_ file: Int32, _ name: String) -> Bool {
        var (own, named) = (stat(), stat())
        return fstat(file, &own) == 0 && lstat(name, &named) == 0 && own.st_dev == named.st_dev
            && own.st_ino == named.st_ino
    }

    /// Replaces the links by copies, and writes the manifest.
    func copy() throws {
        let described = Mutex<[BackupManifest.File]>([])
        let (target, cancellation, files) = (target, cancellation, files)
        let work = SharedWork<any Error>(files.count) { number throws(any Error) in
            try cancellation.check()
            let file = try Self.copied(files[number], target, number)
            described.withLock { $0.append(file) }
        }
        try work.run()
        let manifest = BackupManifest(described.withLock { $0 })
        try manifest.write(into: target)
        for folder in folders { try DiskSync.entries(of: target + "/" + folder) }
    }

    /// Replaces a name by a copy of its file, and compares the copy with the file.
    private static func copied(
        _ path: String, _ target: String, _ number: Int
    ) throws -> BackupManifest.File {
        let name = target + "/" + path
        let copy = target + "/.copy-\(number)"
        var status = stat()
        guard lstat(name, &status) == 0 else {
            throw DiskSync.failure("'\(name)' cannot be read", errno)
        }
        let data = try Data(contentsOf: URL(filePath: name))
        try BackupFile.write(data, to: copy, status.st_mode & 0o777)
        guard try Data(contentsOf: URL(filePath: copy)) == data else {
            throw DiskSync.failure("'\(name)' cannot be written", EIO)
        }
        guard rename(copy, name) == 0 else {
            throw DiskSync.failure("'\(name)' cannot be renamed", errno)
        }
        return BackupManifest.File(path, data)
    }

    private func failure(_ path: String, _ what: String, _ code: Int32) -> any Error {
        DiskSync.failure("'\(target)/\(path)' cannot be \(what)", code)
    }
}

/// A file of a backup.
enum BackupFile {
    /// Writes a new file and syncs it to disk.
    static func write(_ data: Data, to name: String, _ mode: mode_t) throws {
        let file = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if file < 0 { throw DiskSync.failure("'\(name)' cannot be created", errno) }
        defer { Foundation.close(file) }
        try data.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let part = UnsafeRawBufferPointer(rebasing: rest)
                let count = Foundation.write(file, part.baseAddress, part.count)
                if count < 0 {
                    if errno == EINTR { continue }
                    throw DiskSync.failure("'\(name)' cannot be written", errno)
                }
                rest = rest.dropFirst(count)
            }
        }
        guard fchmod(file, mode) == 0, fsync(file) == 0 else {
            throw DiskSync.failure("'\(name)' cannot be synced", errno)
        }
    }
}
