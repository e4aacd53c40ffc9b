import Foundation
import Synchronization
import Testing

@testable import RepositoryRuntime

/// File operations of which one fails, or all from one on.
///
/// Records an issue when a descriptor is closed twice: meanwhile it can be that of another file.
final class FailingFileOperations: FileOperations {
    /// What goes wrong.
    enum Fault: Sendable, CaseIterable {
        case full, broken, shortWrite
        /// The error, except for a write that only comes out short.
        var code: Int32 { self == .broken ? EIO : ENOSPC }
        /// The code of the error that a store throws.
        var storeCode: CRUDRepositoryError.Code {
            self == .broken ? .databaseError : .storageFull
        }
    }

    private struct State {
        var count = 0
        var failing: Int
    }

    /// The descriptors that are open.
    private let descriptors = Mutex<Set<Int32>>([])
    private let system = POSIXFileOperations()
    private let state: Mutex<State>
    private let fault: Fault
    private let forEver: Bool
    private let hasNoLinks: Bool
    private let onlyScratch: Bool

    /// - Parameters:
    ///   - failing: the number of the operation that fails, from 1; 0 for none.
    ///   - forEver: whether all later ones fail too.
    ///   - hasNoLinks: whether the file system gives no file a second name.
    ///   - onlyScratch: whether only operations of the files without names count and fail.
    init(
        failing: Int = 0, fault: Fault = .broken, forEver: Bool = false, hasNoLinks: Bool = false,
        onlyScratch: Bool = false
    ) {
        self.onlyScratch = onlyScratch
        self.hasNoLinks = hasNoLinks
        state = Mutex(State(failing: failing))
        self.fault = fault
        self.forEver = forEver
    }

    /// How many operations were asked for.
    var operationCount: Int { state.withLock { $0.count } }

    /// Counts anew, and lets the operation of a number fail.
    func arm(failing: Int) { state.withLock { $0 = State(failing: failing) } }

    /// Whether an operation has failed since.
    var hasFailed: Bool { state.withLock { $0.failing > 0 && $0.count >= $0.failing } }

    private func fails(isScratch: Bool = false) -> Bool {
        if onlyScratch, !isScratch { return false }
        return state.withLock { state in
            state.count += 1
            return state.failing > 0
                && (state.count == state.failing || (forEver && state.count > state.failing))
        }
    }

    private func step(
        _ operation: String, _ path: String, isScratch: Bool = false
    ) throws(FileFailure) {
        if fails(isScratch: isScratch) {
            throw FileFailure(operation: operation, path: path, code: fault.code)
        }
    }

    func open(_ name: FileName, _ mode: FileOpenMode) throws(FileFailure) -> Int32 {
        try step("open", name.path, isScratch: mode == .scratch)
        return opened(try system.open(name, mode))
    }

    private func opened(_ file: Int32) -> Int32 {
        descriptors.withLock { _ = $0.insert(file) }
        return file
    }

    /// Notes that a descriptor is about to be closed.
    private func closing(_ file: Int32, _ path: String) {
        let isOpen = descriptors.withLock { $0.remove(file) != nil }
        if !isOpen { Issue.record("'\(path)' is closed a second time") }
    }

    func openPlain(_ name: FileName, _ mode: FileOpenMode) throws(FileFailure) -> Int32 {
        try step("open", name.path)
        return opened(try system.openPlain(name, mode))
    }

    func read(_ file: Int32, _ path: String, into buffer: UnsafeMutableRawBufferPointer)
        throws(FileFailure) -> Int
    {
        try step("read", path)
        return try system.read(file, path, into: buffer)
    }

    func write(_ file: Int32, _ path: String, _ bytes: UnsafeRawBufferPointer)
        throws(FileFailure) -> Int
    {
        guard fails() else { return try system.write(file, path, bytes) }
        // A disk that fills up takes what fits, and nothing the next time.
        if fault == .shortWrite, bytes.count > 1 {
            let part = UnsafeRawBufferPointer(rebasing: bytes[..<(bytes.count / 2)])
            return try system.write(file, path, part)
        }
        throw FileFailure(operation: "write", path: path, code: fault.code)
    }

    func overwrite(_ file: Int32, _ path: String, _ bytes: UnsafeRawBufferPointer)
        throws(FileFailure) -> Int
    {
        guard fails() else { return try system.overwrite(file, path, bytes) }
        if fault == .shortWrite, bytes.count > 1 {
            let part = UnsafeRawBufferPointer(rebasing: bytes[..<(bytes.count / 2)])
            return try system.overwrite(file, path, part)
        }
        throw FileFailure(operation: "write", path: path, code: fault.code)
    }

    func read(
        _ file: Int32, _ path: String, into buffer: UnsafeMutableRawBufferPointer,
        at offset: UInt64
    ) throws(FileFailure) -> Int {
        try step("read", path, isScratch: true)
        return try system.read(file, path, into: buffer, at: offset)
    }

    func write(_ file: Int32, _ path: String, _ bytes: UnsafeRawBufferPointer, at offset: UInt64)
        throws(FileFailure) -> Int
    {
        guard fails(isScratch: true) else {
            return try system.write(file, path, bytes, at: offset)
        }
        if fault == .shortWrite, bytes.count > 1 {
            let part = UnsafeRawBufferPointer(rebasing: bytes[..<(bytes.count / 2)])
            return try system.write(file, path, part, at: offset)
        }
        throw FileFailure(operation: "write", path: path, code: fault.code)
    }

    func synchronize(_ file: Int32, _ path: String) throws(FileFailure) {
        // What the disk does with it shows only after a loss of power.
        try step("save", path)
    }

    func close(_ file: Int32, _ path: String) throws(FileFailure) {
        closing(file, path)
        // The descriptor is gone whatever is reported.
        try system.close(file, path)
        try step("close", path)
    }

    func lock(_ file: Int32, _ path: String) throws(FileFailure) {
        try step("lock", path)
        try system.lock(file, path)
    }

    func tryLock(_ file: Int32, _ path: String) throws(FileFailure) -> Bool {
        try step("lock", path)
        return try system.tryLock(file, path)
    }

    func unlock(_ file: Int32, _ path: String) throws(FileFailure) {
        // As with closing: what a program that died held is free.
        try system.unlock(file, path)
        try step("unlock", path)
    }

    func rename(_ name: FileName, to other: FileName) throws(FileFailure) {
        try step("rename", name.path)
        try system.rename(name, to: other)
    }

    func link(_ name: FileName, to other: FileName) throws(FileFailure) {
        try step("link", name.path)
        if hasNoLinks { throw FileFailure(operation: "link", path: name.path, code: EPERM) }
        try system.link(name, to: other)
    }

    func unlink(_ name: FileName) throws(FileFailure) {
        try step("remove", name.path)
        try system.unlink(name)
    }

    func makeFolder(_ name: FileName) throws(FileFailure) {
        try step("create", name.path)
        try system.makeFolder(name)
    }

    func removeFolder(_ name: FileName) throws(FileFailure) {
        try step("remove", name.path)
        try system.removeFolder(name)
    }

    func visitNames(
        in folder: Int32, _ path: String, _ body: (String) throws(FileFailure) -> Void
    ) throws(FileFailure) {
        closing(folder, path)
        if fails() {
            try system.close(folder, path)
            throw FileFailure(operation: "list", path: path, code: fault.code)
        }
        try system.visitNames(in: folder, path, body)
    }

    func status(ofOpen file: Int32, _ path: String) throws(FileFailure) -> FileStatus {
        try step("examine", path)
        return try system.status(ofOpen: file, path)
    }

    func status(of name: FileName) throws(FileFailure) -> FileStatus? {
        try step("examine", name.path)
        return try system.status(of: name)
    }
}
