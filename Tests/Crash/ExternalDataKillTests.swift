import CrashLedger
import Foundation
import RepositoryRuntime
import RepositoryTesting
import Testing

@Suite("Programs that write external data are killed")
struct ExternalDataKillTests {
    @Test(
        "Each record has the data of its last write, and nothing else is left",
        arguments: [DurableStore.filesJSON, .filesCBOR, .sqlite])
    func kills(_ kind: DurableStore) async throws {
        let place = try CrashPlace(kind)
        var random = SeededGenerator(seed: Effort.seed)
        var numbers: [String: Int] = [:]
        var writes = 0
        var least = 0
        for round in 0..<(Effort.isLong ? 300 : 5) {
            // A line says that a write begins, the next one that it is done.
            let limits = (0..<2).map { _ in Int.random(in: 0...8, using: &random) }
            least += limits.reduce(0) { $0 + $1 / 2 }
            let first = 1 + round * 100_000
            let lines = try await ChildProcess.killed(
                ["a", "b"].map { ["photos", kind.rawValue, place.text, $0, "\(first)"] },
                after: limits, delay: .random(in: 0...60_000, using: &random))
            let gallery = Conformance.gallery(kind.make(at: place.text))
            var chunks = 0
            for words in lines.map({ $0.map { $0.split(separator: " ").map(String.init) } }) {
                writes += words.filter { $0.first == "did" }.count
                for done in words where done.first == "did" && done.count == 3 {
                    numbers[done[1]] = Int(done[2])
                }
                // The write that was running has happened or not.
                guard let last = words.last, last.first == "try", last.count == 3 else { continue }
                let found = try await number(last[1], gallery)
                if found == Int(last[2]) { numbers[last[1]] = found }
            }
            for (id, number) in numbers.sorted(by: { $0.key < $1.key }) {
                try await #expect(self.number(id, gallery) == number, "\(id) in round \(round)")
                guard number > 0 else { continue }
                let image = try await gallery.photos.read(Photo.ID(id)).image
                try await #expect(image?.load() == NumberedPicture.bytes(number))
                chunks += (NumberedPicture.size(number) + 262_143) / 262_144
            }
            if kind != .sqlite {
                #expect(files(place) == chunks, "in round \(round)")
            }
        }
        print("\(kind.rawValue): \(writes) writes of external data")
        #expect(writes >= least && least > 0)
    }

    /// The number in the title of a photo; 0 if there is none.
    private func number(_ id: String, _ gallery: Conformance) async throws -> Int {
        do {
            return Int(try await gallery.photos.read(Photo.ID(id)).title) ?? -1
        } catch let error as CRUDRepositoryError where error.code == .recordNotFound {
            return 0
        }
    }

    /// The number of files with chunks.
    private func files(_ place: CrashPlace) -> Int {
        let path = place.text + "/.repository/external_photos"
        return ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).count
    }
}
