import Foundation
import FuzzTargets
import Testing

/// What fuzzing found worth keeping is read in each run of the tests.
@Suite("The corpus of the fuzzer")
struct CorpusTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Corpus")

    @Test("Every input is read without a flaw", arguments: FuzzTarget.all.map(\.name))
    func corpus(_ name: String) throws {
        let target = try #require(FuzzTarget.all.first { $0.name == name })
        let files = try FileManager.default.contentsOfDirectory(
            at: Self.folder.appendingPathComponent(name).resolvingSymlinksInPath(),
            includingPropertiesForKeys: nil)
        try #require(!files.isEmpty, "There is no corpus of '\(name)'.")
        for file in files {
            let flaw = target.flaw(Array(try Data(contentsOf: file)))
            #expect(flaw == nil, "\(file.lastPathComponent): \(flaw ?? "")")
        }
    }

    @Test("Each folder is read by a target")
    func folders() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
        #expect(Set(names) == Set(FuzzTarget.all.map(\.name)))
    }
}
