internal import RepositoryRuntime
package import RepositoryTesting

extension Conformance {
    /// Creates, changes or deletes one of a few notes.
    package func writeRandomly(_ random: inout SeededGenerator) async throws {
        let id = Note.ID("note \(Int.random(in: 0..<8, using: &random))")
        let rank = Int.random(in: 0..<5, using: &random)
        if Int.random(in: 0..<3, using: &random) == 0 {
            try await notes.deleteAll(ids: [id])
        } else {
            try await notes.save(Note(id: id, text: "text \(rank)", rank: rank))
        }
    }
}
