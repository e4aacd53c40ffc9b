/// How far a copy or a comparison is.
public struct MoveProgress: Sendable, Hashable {
    /// What is done with the records.
    public enum Phase: String, Sendable, Hashable {
        /// The source is read and missing records are written to the target.
        case copying
        /// Both sides are read and compared.
        case comparing
    }

    /// What is done.
    public var phase: Phase
    /// The table.
    public var table: String
    /// The number of records of all tables that were read so far.
    public var done: Int
    /// The number of records of all tables; those of a copy count twice, because it compares them
    /// afterwards.
    public var total: Int

    /// The part that is done, from 0 to 1.
    public var fraction: Double { total == 0 ? 1 : min(1, Double(done) / Double(total)) }
}

extension MoveProgress: CustomStringConvertible {
    /// The phase, the table and the numbers.
    public var description: String { "\(phase.rawValue) \(table): \(done) of \(total)" }
}
