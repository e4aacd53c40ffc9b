package import RepositoryRuntime
internal import RepositoryTesting

/// A long list of writes that follows from a seed: the n-th step of a lane depends on the seed, the lane, the number and the
/// records that the steps before have left, on nothing else.
///
/// So a program that writes and one that checks it agree on what every step is, and a failure can be replayed.
package struct Ledger: Sendable {
    /// How many tasks write at once.
    package static let lanes = 3
    /// The most notes that a lane keeps.
    private static let mostNotes = 40

    private let seed: UInt64
    private let hasTransactions: Bool
    private let longestText: Int

    /// Makes the ledger of a seed for a store.
    package init(seed: UInt64, for store: any EntityStore, of kind: DurableStore) {
        self.seed = seed
        hasTransactions = store.capabilities.has(.transactions)
        longestText = kind.longestText
    }

    /// The step of a number, from 1.
    package func step(_ number: Int, lane: Int, _ records: LedgerRecords) -> LedgerStep {
        var random = SeededGenerator(
            seed: seed ^ UInt64(lane) &* 0x9E37_79B9 ^ UInt64(number) &* 0xD1B5_4A32_D192_ED03)
        let maker = StepMaker(
            number: number, prefix: LedgerRecords.prefix(lane), longestText, records)
        if hasTransactions, random.once(in: 5) {
            return .transaction(maker.transaction(&random))
        }
        if records.notes.count > Self.mostNotes { return maker.clearing(&random) }
        return maker.single(&random)
    }
}

/// Makes one step.
private struct StepMaker {
    let number: Int
    let prefix: String
    let longestText: Int
    let notes: [Note]
    let halls: [Hall]
    let members: [Member]

    init(number: Int, prefix: String, _ longestText: Int, _ records: LedgerRecords) {
        self.number = number
        self.longestText = longestText
        self.prefix = prefix
        notes = records.notes.values.sorted { $0.id < $1.id }
        halls = records.halls.values.sorted { $0.id < $1.id }
        members = records.members.values.sorted { $0.id < $1.id }
    }

    func single(_ random: inout SeededGenerator) -> LedgerStep {
        switch Int.random(in: 0..<22, using: &random) {
        case 0..<3 where !notes.isEmpty:
            return .update(changed(random.one(of: notes), 0, of: 1, &random))
        case 3 where !notes.isEmpty:
            return .save(changed(random.one(of: notes), 0, of: 1, &random))
        case 4: return .save(new(0, of: 1, &random))
        case 5..<7 where !notes.isEmpty: return .delete(random.one(of: notes).id)
        case 7..<10: return .createAll(several(&random))
        case 10..<12: return .saveAll(several(&random) + notes.prefix(3).map { rewritten($0) })
        case 12 where notes.count > 3: return .deleteAll(notes.suffix(3).map(\.id))
        case 13: return .enrol(member("\(prefix)-\(number)"))
        case 14 where !members.isEmpty:
            return .rename(member(random.one(of: members).id.rawValue))
        case 15: return .open(hall)
        case 16 where !halls.isEmpty: return .link(links(to: halls, &random))
        case 17 where !halls.isEmpty: return .close(random.one(of: halls).id)
        case 18..<20 where notes.count > 1: return .raise(raised(notes, &random))
        default: return .create(new(0, of: 1, &random))
        }
    }

    /// Two tables and all kinds of write.
    func transaction(_ random: inout SeededGenerator) -> [LedgerStep] {
        let hall = hall
        var steps: [LedgerStep] = [
            .open(hall), .create(new(0, of: 2, &random)), .link(links(to: [hall], &random)),
        ]
        if let last = notes.last { steps.append(.delete(last.id)) }
        if let first = notes.first, notes.count > 1 {
            steps.append(.update(changed(first, 1, of: 2, &random)))
            steps.append(.raise(raised(notes.dropLast(), &random)))
        }
        return steps
    }

    func clearing(_ random: inout SeededGenerator) -> LedgerStep {
        .deleteAll(notes.shuffled(using: &random).prefix(20).map(\.id))
    }

    private func several(_ random: inout SeededGenerator) -> [Note] {
        let count = Int.random(in: 2...12, using: &random)
        return (0..<count).map { new($0, of: count, &random) }
    }

    private func new(_ index: Int, of count: Int, _ random: inout SeededGenerator) -> Note {
        // Some are too long for the name of a file, some hold what file systems read as ways.
        let ending =
            random.once(in: 6)
            ? String(repeating: "/long", count: 40) : random.once(in: 6) ? "/../É" : ""
        return note(.init("\(prefix)-\(number)-\(index)\(ending)"), index, of: count, &random)
    }

    private func raised(
        _ notes: some Collection<Note>, _ random: inout SeededGenerator
    ) -> [Note.ID] {
        notes.shuffled(using: &random).prefix(12).map(\.id)
    }

    private func changed(
        _ note: Note, _ index: Int, of count: Int, _ random: inout SeededGenerator
    ) -> Note {
        self.note(note.id, index, of: count, &random)
    }

    private func note(
        _ id: Note.ID, _ index: Int, of count: Int, _ random: inout SeededGenerator
    ) -> Note {
        let most = random.once(in: 12) ? longestText : longestText / 30
        let size = Int.random(in: 0...most, using: &random)
        let text = LedgerText.make(step: number, index: index, of: count, size: size)
        return Note(id: id, text: text, rank: Int.random(in: 0..<5, using: &random))
    }

    private func rewritten(_ note: Note) -> Note {
        Note(
            id: note.id, text: LedgerText.make(step: number, index: 0, of: 1, size: 100),
            rank: note.rank)
    }

    private func member(_ id: String) -> Member {
        Member(id: .init(id), email: "\(prefix)-\(number)@\(id)")
    }

    private var hall: Hall { Hall(id: .init("\(prefix)-\(number)"), title: "\(number)") }

    private func links(to halls: [Hall], _ random: inout SeededGenerator) -> [Link] {
        (0..<4).map { index in
            let hall = random.one(of: halls)
            return Link(
                id: .init("\(prefix)-\(number)-\(index)"),
                keeperID: index % 2 == 0 ? hall.id : nil,
                friendID: index % 2 == 1 ? hall.id : nil)
        }
    }
}
