public import Foundation

/// What a copy does with what it cannot copy as it is.
public struct CopyOptions: Sendable {
    /// Who wins where the target has records of its own.
    public var merge = MergePolicy.refuse
    /// The decision for each kind of problem of single records; `stop` for the others.
    public var decisions: [MoveProblem.Kind: MoveDecision] = [:]
    /// The file of the records that `setAside` leaves out: one JSON object a line, with the table,
    /// the id, the reason and the record if it can be read. An existing file is replaced by the
    /// first record, because each run finds all of them again.
    public var setAside: URL?
    /// Whether the report has the values of fields that differ, apart from sensitive ones.
    public var showsValues = false
    /// The number of records that are written in one transaction.
    package var batchSize = 512
    /// Called after each transaction of the target, for tests that end the copy there.
    package var afterCommit: (@Sendable () async throws -> Void)?

    /// Creates the options of a copy that stops at every problem.
    public init() {}
}
