import CrashLedger
import Foundation
import RepositoryRuntime
import RepositoryTesting

/// Saves and deletes photos until it is killed. Before each it says `try <id> <number>`, and
/// afterwards `did <id> <number>`; the number of a deletion is 0.
struct Photographer {
    private let gallery: Conformance
    private let name: String
    private let first: Int

    init?(_ arguments: ArraySlice<String>) {
        let arguments = Array(arguments)
        guard arguments.count == 4, let kind = DurableStore(rawValue: arguments[0]),
            let first = Int(arguments[3])
        else { return nil }
        gallery = .gallery(kind.make(at: arguments[1]))
        name = arguments[2]
        self.first = first
    }

    func run() async throws -> String {
        var random = SeededGenerator(seed: UInt64(first))
        for number in first..<first + 100_000 {
            let id = "\(name)\(Int.random(in: 0..<3, using: &random))"
            let deletes = Int.random(in: 0..<4, using: &random) == 0
            say("try \(id) \(deletes ? 0 : number)")
            if deletes {
                _ = try await gallery.photos.deleteAll(ids: [Photo.ID(id)])
            } else {
                let image = ExternalData(NumberedPicture.bytes(number))
                try await gallery.photos.save(
                    Photo(id: Photo.ID(id), title: "\(number)", image: image))
            }
            say("did \(id) \(deletes ? 0 : number)")
        }
        return "done"
    }

    private func say(_ line: String) {
        print(line)
        fflush(nil)
    }
}
