public import RepositoryMoving
public import RepositoryRuntime
internal import Synchronization

/// Proves that the records of a set move from one kind of store to another one and back.
///
/// ```swift
/// @Test func move() async throws {
///     let files = FileSystemStore(directory: folder)
///     try await fill(Library(files))
///     try await checkMove(Library.self, from: files) { number in
///         SQLiteStore(path: folder.appending(path: "\(number).sqlite").path)
///     }
/// }
/// ```
/// The records are copied, compared, and copied into a further store of the same kind. Then a copy is
/// interrupted after each of its first transactions, and continued by another object of the store, as
/// after the end of a process; each must end with equal records. Nothing is changed in the source.
///
/// - Parameters:
///   - set: the generated set.
///   - source: a store with records.
///   - interruptions: the number of transactions after which a copy is interrupted.
///   - target: creates an empty store for each number. If the store keeps data, it is called twice for
///     a number, and the second store has the data of the first one.
/// - Returns: The report of the first copy.
/// - Throws: ``MoveCheckFailure``; `MoveError` if the records cannot be copied.
@discardableResult
public func checkMove<S: RepositorySet>(
    _ set: S.Type, from source: any EntityStore, interruptions: Int = 8,
    to target: @escaping @Sendable (_ number: Int) async throws -> any EntityStore
) async throws -> MoveReport {
    let first = try await target(0)
    let report = try await S.copy(from: source, to: first)
    try require(report, "the copy")
    let second = try await target(1)
    try require(try await S.copy(from: first, to: second), "a copy of the copy")
    try require(try await S.compare(source, second), "the comparison with the copy of the copy")
    for commits in 1...max(1, interruptions) {
        guard try await checkInterruption(set, source, commits, target) else { break }
    }
    return report
}

/// What ``checkMove(_:from:interruptions:to:)`` found.
public struct MoveCheckFailure: Error, Sendable, CustomStringConvertible {
    /// What was done, as the subject of a sentence.
    public let step: String
    /// The report.
    public let report: MoveReport

    /// The step and the report.
    public var description: String { "\(step) ended with different records:\n\(report)" }
}

private struct Interruption: Error {}

/// Interrupts a copy after a number of transactions, and continues it.
///
/// - Returns: Whether there were so many transactions.
private func checkInterruption<S: RepositorySet>(
    _ set: S.Type, _ source: any EntityStore, _ commits: Int,
    _ target: (Int) async throws -> any EntityStore
) async throws -> Bool {
    let store = try await target(1 + commits)
    let count = Mutex(0)
    var options = CopyOptions()
    options.batchSize = 16
    options.afterCommit = {
        let isLast = count.withLock { count in
            count += 1
            return count == commits
        }
        if isLast { throw Interruption() }
    }
    do {
        try await S.copy(from: source, to: store, options)
        return false
    } catch is Interruption {}
    var next = store
    if store.capabilities.has(.persistent) {
        if store.capabilities.has(.closing) { try await store.close() }
        next = try await target(1 + commits)
    }
    try require(
        try await S.copy(from: source, to: next),
        "a copy that was interrupted after \(commits) transactions")
    return true
}

private func require(_ report: MoveReport, _ step: String) throws {
    guard report.isEqual else { throw MoveCheckFailure(step: step, report: report) }
}
