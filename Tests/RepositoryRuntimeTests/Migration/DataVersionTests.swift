import StoredSchema
import Testing

@testable import RepositoryRuntime

@Suite("Which version data has")
struct DataVersionTests {
    /// A history of versions 1 to 4, of which version 3 has the shape of version 1 again.
    private func history(
        first: Int = 1, toThird: [DataChange] = [], unreleased: [DataChange]? = nil
    ) -> SchemaHistory {
        let shapes = ["a", "b", "a", "c"]
        return SchemaHistory(
            versions: (first...4).map { number in
                SchemaVersion(
                    number: number, hash: "hash \(number)",
                    identity: identity(shapes[number - 1]),
                    changes: number == 3 ? toThird : [])
            },
            sides: [SideVersion(name: "escaped", identity: identity("s"))], unreleased: unreleased)
    }

    private func identity(_ shape: String) -> SchemaIdentity {
        SchemaIdentity(documents: shape, columns: "\(shape) in columns", cases: "cases of \(shape)")
    }

    private func find(
        _ data: DataVersionMarks, in history: SchemaHistory, declared: String = "c"
    ) throws -> DataVersion {
        try history.version(
            of: data,
            declared: DataVersionMarks(fingerprint: declared, cases: "cases of \(declared)"),
            form: .documents)
    }

    private func problem(
        _ data: DataVersionMarks, in history: SchemaHistory
    ) -> DataVersionProblem? {
        do {
            _ = try find(data, in: history)
            return nil
        } catch {
            return error as? DataVersionProblem
        }
    }

    @Test("A recorded number decides, whatever the shape")
    func recorded() throws {
        let marks = DataVersionMarks(number: 1, hash: "hash 1", fingerprint: "c")
        #expect(try find(marks, in: history()) == .released(1))
    }

    @Test("A number or hash that is not known is a newer program's, an old one is too old")
    func unknown() {
        let newer = DataVersionMarks(number: 5, hash: "hash 5", fingerprint: "c")
        #expect(problem(newer, in: history()) == .newer(5, known: 4))
        let other = DataVersionMarks(number: 4, hash: "other", fingerprint: "c")
        #expect(problem(other, in: history()) == .unknownHash(4))
        let older = DataVersionMarks(number: 1, hash: "hash 1", fingerprint: "a")
        #expect(problem(older, in: history(first: 2)) == .older(1, oldest: 2))
        for problem in [DataVersionProblem.newer(5, known: 4), .unknownHash(4)] {
            #expect(problem.description.contains("newer program"))
        }
    }

    @Test("A number of another branch, whose schema is a side version, is that side version")
    func sides() throws {
        for number in [4, 5, 1] {
            let marks = DataVersionMarks(
                number: number, hash: "of the branch", fingerprint: "s", cases: "cases of s")
            #expect(try find(marks, in: history(first: 2)) == .side("escaped"))
        }
        let changed = DataVersionMarks(
            number: 4, hash: "hash 4", isUnreleased: true, fingerprint: "s")
        #expect(try find(changed, in: history()) == .side("escaped"))
        let other = DataVersionMarks(
            number: 4, hash: "of the branch", fingerprint: "s", cases: "others")
        #expect(problem(other, in: history()) == .unknownHash(4))
        #expect(DataVersionProblem.unknownHash(4).description.contains("release --side"))
    }

    @Test("Without a number, the shape and the cases decide")
    func shape() throws {
        #expect(
            try find(.init(fingerprint: "b", cases: "cases of b"), in: history()) == .released(2))
        #expect(
            try find(.init(fingerprint: "b", cases: "others"), in: history())
                == .unreleased(after: nil))
        #expect(try find(.init(fingerprint: "b"), in: history()) == .released(2))
        #expect(try find(.init(fingerprint: "s"), in: history()) == .side("escaped"))
        #expect(
            try find(.init(fingerprint: "x"), in: history(unreleased: []), declared: "x")
                == .declared)
    }

    @Test("Of several versions with one shape the newest counts, unless something would be lost")
    func returning() throws {
        #expect(try find(.init(fingerprint: "a"), in: history()) == .released(3))
        let lossy = history(toThird: [.remove(DataPath("t", ["x"]))])
        #expect(problem(.init(fingerprint: "a"), in: lossy) == .ambiguous([1, 3]))
        let coded = history(toThird: [.requireByCode(DataPath("t", ["x"]), function: "f")])
        #expect(problem(.init(fingerprint: "a"), in: coded) == .ambiguous([1, 3]))
        #expect(DataVersionProblem.ambiguous([1, 3]).description.contains("1, 3"))
        let recorded = DataVersionMarks(number: 1, hash: "hash 1", fingerprint: "a")
        #expect(try find(recorded, in: lossy) == .released(1))
    }

    @Test("Data that an unreleased schema changed is found when that schema is released")
    func unreleased() throws {
        let marks = DataVersionMarks(
            number: 2, hash: "hash 2", isUnreleased: true, fingerprint: "c")
        #expect(try find(marks, in: history()) == .released(4))
        let other = DataVersionMarks(
            number: 2, hash: "hash 2", isUnreleased: true, fingerprint: "x")
        #expect(try find(other, in: history()) == .unreleased(after: 2))
    }
}
