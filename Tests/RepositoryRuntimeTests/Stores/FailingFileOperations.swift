import Foundation
import Synchronization

@testable import RepositoryRuntime

/// File operations of which one fails, or all from one on.
final class FailingFileOperations: FileOperations {
    /// What goes wrong.
    enum Fault: Sendable, CaseIterable {
        case full, broken, shortWrite
        /// The error, except for a write that only comes out short.
        var code: Int32 { self == .broken ? EIO : ENOSPC }
    }

    private struct State {
        var count = 0
        var failing: Int
    }

    private let system = POSIXFileOperations()
    private let state: Mutex<State>
    private let fault: Fault
    private let forEver: Bool

    /// - Parameters:
    ///   - failing: the number of the operation that fails, from 1; 0 for none.
    ///   - forEver: whether all later ones fail too.
    init(failing: Int = 0, fault: Fault = .broken, forEver: Bool = false) {
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

    private func fails() -> Bool {
        state.withLock { state in
            state.count += 1
            return state.failing > 0
                && (state.count == state.failing || (forEver && state.count > state.failing))
        }
    }

    private func step(_ operation: String, _ path: String) throws(FileFailure) {
        if fails() { throw FileFailure(operation: operation, path: path, code: fault.code) }
    }

    func open(_ path: String, _ mode: FileOpenMode) throws(FileFailure) -> Int32 {
        try step("open", path)
        return try system.open(path, mode)
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

    func synchronize(_ file: Int32, _ path: String) throws(FileFailure) {
        // What the disk does with it shows only after a loss of power.
        try step("save", path)
    }

    func close(_ file: Int32, _ path: String) throws(FileFailure) {
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

    func rename(_ path: String, to other: String) throws(FileFailure) {
        try step("rename", path)
        try system.rename(path, to: other)
    }

    func link(_ path: String, to other: String) throws(FileFailure) {
        try step("link", path)
        try system.link(path, to: other)
    }

    func unlink(_ path: String) throws(FileFailure) {
        try step("remove", path)
        try system.unlink(path)
    }

    func makeFolder(_ path: String) throws(FileFailure) {
        try step("create", path)
        try system.makeFolder(path)
    }

    func removeFolder(_ path: String) throws(FileFailure) {
        try step("remove", path)
        try system.removeFolder(path)
    }

    func visitNames(in path: String, _ body: (String) throws(FileFailure) -> Void)
        throws(FileFailure)
    {
        try step("list", path)
        try system.visitNames(in: path, body)
    }

    func isOpen(_ file: Int32, at path: String) throws(FileFailure) -> Bool {
        try step("examine", path)
        return try system.isOpen(file, at: path)
    }

    func status(of path: String) throws(FileFailure) -> FileStatus? {
        try step("examine", path)
        return try system.status(of: path)
    }
}
