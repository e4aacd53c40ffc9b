internal import Foundation
internal import StoredSchema

extension FileDriver: MigratingDriver {
    var volumePath: String { layout.root }

    func markMigration(_ isRunning: Bool) { noteHolder(isMigrating: isRunning) }

    /// Copies the folder, as a backup with its manifest. Links and other special files are left out,
    /// and so are the lock files and temporary files.
    ///
    /// All files are named relative to the open folder that contains the lock, so that the copy is
    /// that of one store even if another program renames the folder meanwhile. Programs that use
    /// the store wait for the lock; a program that changes files without it makes the copy fail, or
    /// the copy contains its files as they were when they were read.
    func copy(to url: URL, _ check: () throws -> Void) throws {
        let target = StoreFiles.resolved(url)
        guard !(target + "/").hasPrefix(layout.root + "/") else {
            throw CRUDRepositoryError.unsupported(
                "a copy of its folder inside the folder", by: name)
        }
        try WholeCopy.write(.folder, to: URL(filePath: target)) { path in
            var copied: [BackupManifest.File] = []
            try copyFolder("", to: path, &copied, check)
            try BackupManifest(copied).write(into: path)
            // If the lock was replaced meanwhile, other programs may have written.
            let isInPlace = try filing { () throws(FileFailure) in try isLockInPlace() }
            guard isInPlace else {
                throw CRUDRepositoryError(
                    .databaseError,
                    "Another program renamed or replaced the folder of the store while it was copied. Nothing was changed.",
                    isRetryable: true)
            }
        }
    }

    /// Copies the contents of a folder into an empty folder.
    private func copyFolder(
        _ source: String, to target: String, _ copied: inout [BackupManifest.File],
        _ check: () throws -> Void
    ) throws {
        var problem: (any Error)?
        try filing { () throws(FileFailure) in
            try held.visitNamesOfKept(source) { name throws(FileFailure) in
                if problem != nil { return }
                do {
                    try check()
                    let path = source.isEmpty ? name : source + "/" + name
                    try copy(path, to: target + "/" + name, &copied, check)
                } catch {
                    problem = error
                }
            }
        }
        if let problem { throw problem }
        try DiskSync.entries(of: target)
    }

    private func copy(
        _ path: String, to target: String, _ copied: inout [BackupManifest.File],
        _ check: () throws -> Void
    ) throws {
        if isLocal(path) || path == BackupManifest.path { return }
        let status = try filing { () throws(FileFailure) in try held.status(of: path) }
        switch status?.kind {
        case .folder:
            guard mkdir(target, 0o777) == 0 else {
                throw DiskSync.failure("'\(target)' cannot be created", errno)
            }
            try copyFolder(path, to: target, &copied, check)
        case .file:
            let file = try filing { () throws(FileFailure) in try held.open(path, .read) }
            defer { Foundation.close(file) }
            if let file = try FileCopy(file, path).write(to: target) { copied.append(file) }
        default: return
        }
    }

    /// Whether a file or folder has a meaning only while a program runs.
    func isLocal(_ path: String) -> Bool {
        let own = layout.ownFolder + "/"
        guard path.hasPrefix(own) else { return false }
        let name = path.dropFirst(own.count)
        return ["lock", "batches", "description"].contains(name)
            || name.hasPrefix(Self.temporaryPrefix)
    }
}

/// The copy of one open file.
struct FileCopy {
    private let file: Int32
    private let path: String

    init(_ file: Int32, _ path: String) {
        self.file = file
        self.path = path
    }

    /// Writes the copy and syncs it to disk.
    ///
    /// - Returns: what was copied; nil if another program has replaced the file by something else.
    /// - Throws: `databaseError`.
    @discardableResult
    func write(to target: String) throws -> BackupManifest.File? {
        var status = stat()
        guard fstat(file, &status) == 0 else { throw failure("read", errno) }
        // Another program may have replaced it since it was listed.
        guard status.st_mode & S_IFMT == S_IFREG else { return nil }
        var hash = SHA256Stream()
        let copy = open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if copy < 0 { throw failure("created", errno, target) }
        defer { close(copy) }
        let size = 1 << 18
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 16)
        defer { buffer.deallocate() }
        while true {
            let count = read(file, buffer.baseAddress, size)
            if count == 0 { break }
            if count < 0 {
                if errno == EINTR { continue }
                throw failure("read", errno)
            }
            let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
            hash.append(bytes)
            try write(bytes, copy, target)
        }
        guard fchmod(copy, status.st_mode & 0o777) == 0, fsync(copy) == 0 else {
            throw failure("synced", errno, target)
        }
        return BackupManifest.File(path, hash)
    }

    private func write(
        _ bytes: UnsafeRawBufferPointer, _ copy: Int32, _ target: String
    ) throws {
        var rest = bytes
        while !rest.isEmpty {
            let count = Foundation.write(copy, rest.baseAddress, rest.count)
            if count < 0 {
                if errno == EINTR { continue }
                throw failure("written", errno, target)
            }
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
    }

    private func failure(_ what: String, _ code: Int32, _ name: String? = nil) -> any Error {
        DiskSync.failure("'\(name ?? path)' cannot be \(what)", code)
    }
}
