import Foundation
import Synchronization

@testable import RepositoryRuntime

/// Documents in memory, with a count of the calls.
final class CountingDriver: DocumentDriver {
    struct Content: Sendable {
        var documents: [String: [String: Data]] = [:]
        var notes: [String: Data] = [:]
        var generation: UInt64 = 0
        var calls = 0
        var batches = 0
        /// Whether the next batch fails.
        var fails = false
    }

    let content = Mutex(Content())
    private let lock = NSRecursiveLock()
    let name = "counting"
    let isDurable = false
    let providesStamps = true

    private func counted<R: Sendable>(_ body: (inout Content) throws -> R) rethrows -> R {
        try content.withLock { content in
            content.calls += 1
            return try body(&content)
        }
    }

    func get(_ key: String, in collection: String) -> Data? {
        counted { $0.documents[collection]?[key] }
    }

    func keys(in collection: String) -> [String] {
        counted { Array(($0.documents[collection] ?? [:]).keys) }
    }

    func apply(_ change: DocumentChange) throws -> Bool {
        try applyAll([change])
        return true
    }

    func applyAll(_ changes: [DocumentChange]) throws {
        try counted { content in
            if content.fails { throw CRUDRepositoryError(.databaseError, "Broken.") }
            for change in changes {
                content.documents[change.collection, default: [:]][change.key] = change.data
            }
            content.generation += 1
            content.batches += 1
        }
    }

    func recover() {}

    func withLock<R>(_ body: () throws -> R) throws -> R {
        lock.lock()
        defer { lock.unlock() }
        return try body()
    }

    func stamp(of collection: String) -> DocumentStamp? {
        counted { DocumentStamp(generation: $0.generation) }
    }

    func note(_ name: String) -> Data? { content.withLock { $0.notes[name] } }

    func setNote(_ name: String, _ data: Data?) { content.withLock { $0.notes[name] = data } }
}
