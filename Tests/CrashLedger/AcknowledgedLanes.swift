/// The records of one lane, as they should be or as a store has them.
package protocol LaneRecords: Sendable, Equatable {
    /// No records.
    init()
    /// Describes what differs from other records.
    func difference(from other: Self) -> String
}

extension LedgerRecords: LaneRecords {}
extension ArchiveRecords: LaneRecords {}

/// What the writes of programs that are killed must have left, by lane: the acknowledged ones, and
/// at most the next one.
package struct AcknowledgedLanes<Records: LaneRecords> {
    /// How many writes of each lane are done.
    package private(set) var done: [Int]
    /// What they have left.
    private var records: [Records]
    /// Applies the write of a number to the records of a lane.
    private let apply: (_ number: Int, _ lane: Int, _ records: inout Records) -> Void

    /// Makes lanes without records.
    ///
    /// - Parameter apply: applies the write of a number to the records of a lane.
    package init(
        _ count: Int,
        apply: @escaping (_ number: Int, _ lane: Int, _ records: inout Records) -> Void
    ) {
        done = Array(repeating: 0, count: count)
        records = Array(repeating: Records(), count: count)
        self.apply = apply
    }

    /// The numbers of the last writes of some lanes, with commas, as writers take them.
    package func text(_ lanes: Range<Int>) -> String {
        done[lanes].map { "\($0)" }.joined(separator: ",")
    }

    /// Counts what a writer has said: `<lane> <number>` for each write.
    ///
    /// - Parameter problem: makes a problem of what must not be said.
    package mutating func acknowledge(
        _ lines: [String], _ tally: inout KillTally, problem: (String) -> String
    ) {
        for line in lines {
            let parts = line.split(separator: " ").compactMap { Int($0) }
            guard parts.count == 2, done.indices.contains(parts[0]), parts[1] == done[parts[0]] + 1
            else {
                tally.problems.append(problem("said '\(line)'"))
                continue
            }
            let (lane, number) = (parts[0], parts[1])
            apply(number, lane, &records[lane])
            done[lane] = number
            tally.acknowledged += 1
        }
    }

    /// Compares each lane with what the acknowledged writes left, and with that and the next write.
    /// Goes on with what was found.
    ///
    /// - Parameters:
    ///   - isLost: whether the records of a lane that is wrong are nearer to the acknowledged state
    ///     than to the next one, so that records are lost; otherwise a write is half done.
    ///   - problem: makes a problem of a difference.
    package mutating func compare(
        _ found: [Records], _ tally: inout KillTally,
        isLost: (_ found: Records, _ acknowledged: Records) -> Bool = { _, _ in false },
        problem: (String) -> String
    ) {
        for lane in done.indices where found[lane] != records[lane] {
            let acknowledged = records[lane]
            apply(done[lane] + 1, lane, &records[lane])
            if found[lane] == records[lane] {
                done[lane] += 1
                tally.unacknowledged += 1
                continue
            }
            if isLost(found[lane], acknowledged) { tally.lost += 1 } else { tally.half += 1 }
            tally.problems.append(
                problem(
                    "lane \(lane) after step \(done[lane]): against the acknowledged "
                        + "\(found[lane].difference(from: acknowledged)); against the next "
                        + found[lane].difference(from: records[lane])))
            records[lane] = found[lane]
        }
    }
}
