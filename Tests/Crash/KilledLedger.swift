import CrashLedger
import Foundation
import RepositoryRuntime
import RepositoryTesting

/// A ledger at one place, whose writer is killed again and again, and what its records must be.
final class KilledLedger {
    private let kind: DurableStore
    private let place: CrashPlace
    private let seed: UInt64
    private var acknowledged: AcknowledgedLanes<LedgerRecords>

    init(_ kind: DurableStore, seed: UInt64) throws {
        self.kind = kind
        self.seed = seed
        place = try CrashPlace(kind)
        let ledger = Ledger(seed: seed, for: kind.make(at: place.text), of: kind)
        acknowledged = AcknowledgedLanes(Ledger.lanes) { number, lane, records in
            ledger.step(number, lane: lane, records).apply(to: &records)
        }
    }

    /// Lets a writer work until it has acknowledged some writes and a moment has passed, kills it, and checks what it has left.
    func kill(_ random: inout SeededGenerator, _ tally: inout KillTally) async throws {
        let isEarly = random.once(in: 6)
        let limit = isEarly ? 0 : Int.random(in: 1...24, using: &random)
        let delay = UInt32.random(in: 0...(isEarly ? 60_000 : 3_000), using: &random)
        let arguments = [
            "ledger", kind.rawValue, place.text, "\(seed)",
            acknowledged.text(0..<Ledger.lanes),
        ]
        let lines = try await ChildProcess.killed([arguments], after: [limit], delay: delay)[0]
        tally.kills += 1
        if lines.isEmpty { tally.early += 1 }
        acknowledged.acknowledge(lines, &tally, problem: problem)
        try await check(&tally)
    }

    /// Compares each lane with what the acknowledged writes left, and with that and the next write.
    private func check(_ tally: inout KillTally) async throws {
        let library = Conformance.ledger(kind.make(at: place.text))
        let found: [LedgerRecords]
        do {
            found = try await LedgerRecords.read(library, lanes: Ledger.lanes)
            try await checkIndexes(library, found, &tally)
        } catch let error as CRUDRepositoryError where error.code == .invalidRecord {
            tally.torn += 1
            tally.problems.append(problem("\(error)"))
            return
        }
        tally.torn += found.flatMap(\.notes.values).count { !LedgerText.isWhole($0.text) }
        acknowledged.compare(found, &tally, isLost: isSubset, problem: problem)
    }

    private func isSubset(_ found: LedgerRecords, _ other: LedgerRecords) -> Bool {
        found.notes.allSatisfy { other.notes[$0] == $1 }
            && found.members.allSatisfy { other.members[$0] == $1 }
            && found.halls.allSatisfy { other.halls[$0] == $1 }
            && found.links.allSatisfy { other.links[$0] == $1 }
    }

    /// Finders find what the listing lists, and references have their records.
    private func checkIndexes(
        _ library: Conformance, _ found: [LedgerRecords], _ tally: inout KillTally
    ) async throws {
        let notes = found.flatMap(\.notes.values)
        for rank in Set(notes.map(\.rank)).union(0..<5) {
            let listed = Set(notes.filter { $0.rank == rank }.map(\.id))
            if try await Set(library.notes.findAll(rank: rank).map(\.id)) != listed {
                tally.problems.append(problem("the index of rank \(rank) differs"))
            }
        }
        for member in found.flatMap(\.members.values)
        where try await library.members.find(email: member.email)?.id != member.id {
            tally.problems.append(problem("'\(member.email)' is not found"))
        }
        let halls = Set(found.flatMap(\.halls.keys))
        for link in found.flatMap(\.links.values) {
            let targets = [link.keeperID, link.friendID].compactMap { $0 }
            if !targets.allSatisfy(halls.contains) {
                tally.problems.append(problem("'\(link.id)' refers to nothing"))
            }
        }
    }

    private func problem(_ text: String) -> String {
        "\(kind.rawValue), seed \(seed): \(text)"
    }
}
