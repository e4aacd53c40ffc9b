import CrashLedger
import Foundation
import RepositoryRuntime
import RepositoryTesting

/// Writes entries until it is killed. Before each write it says `try` and the write, and afterwards
/// `did`, with the id that the store has given to a new entry.
///
/// Arguments: the store, its place, the name of the writer, and its first number.
struct EntryWriter {
    /// The words of the entries.
    private static let words = ["alpha", "beta", "gamma", "delta"]

    private let set: Entries
    private let name: String
    private let first: Int

    init?(_ arguments: ArraySlice<String>) {
        let arguments = Array(arguments)
        guard arguments.count == 4, let kind = DurableStore(rawValue: arguments[0]),
            let first = Int(arguments[3])
        else { return nil }
        set = Entries(
            context: RepositoryContext(store: kind.make(at: arguments[1]), schema: Entries.schema))
        name = arguments[2]
        self.first = first
    }

    func run() async throws -> String {
        let name = name
        var random = SeededGenerator(seed: UInt64(first))
        var own = Dictionary(
            uniqueKeysWithValues: try await set.entries.fetch(.where { $0.writer == name })
                .map { ($0.id.rawValue, $0) })
        for number in first..<first + 100_000 {
            let write = self.write(number, own.keys.sorted(), &random)
            say("try \(write.text)")
            let id = try await execute(write, own)
            write.apply(to: &own, of: name, id: id)
            say("did \(id)")
            // Some writes come behind a search, which may index earlier ones.
            if random.once(in: 8) {
                _ = try await set.entries.search(random.one(of: Self.words), limit: 3)
            }
        }
        return "end"
    }

    private func write(
        _ number: Int, _ ids: [Int], _ random: inout SeededGenerator
    ) -> EntryWrite {
        let word = random.one(of: Self.words)
        let kind = ids.count < 2 ? 0 : Int.random(in: 0..<8, using: &random)
        switch kind {
        case 0..<3 where ids.count < 40: return .create(place: number, word: word)
        case 3, 4:
            let first = random.one(of: ids)
            return .exchange(first, random.one(of: ids.filter { $0 != first }))
        case 5, 6: return .write(random.one(of: ids), word: word)
        default: return .delete(random.one(of: ids))
        }
    }

    /// Executes a write, and returns the id of a new entry; 0 for other writes.
    private func execute(_ write: EntryWrite, _ own: [Int: Entry]) async throws -> Int {
        switch write {
        case .create(let place, let word):
            var draft = RecordDraft<Entry>()
            draft.writer = name
            draft.place = place
            draft.text = word
            return try await set.entries.create(draft).id.rawValue
        case .delete(let id): try await set.entries.delete(.init(id))
        case .exchange(let first, let second):
            var after = own
            write.apply(to: &after, of: name, id: 0)
            _ = try await set.entries.saveAll([first, second].compactMap { after[$0] })
        case .write(let id, let word):
            try await set.entries.update(.init(id)) { $0.text = word }
        }
        return 0
    }

    private func say(_ line: String) {
        print(line)
        fflush(nil)
    }
}
