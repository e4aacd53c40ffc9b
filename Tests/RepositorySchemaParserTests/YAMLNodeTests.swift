import RepositorySchema
import Testing

@testable import RepositorySchemaParser

@Suite("YAML nodes and their places")
struct YAMLNodeTests {
    @Test("lines end where editors end them, columns count scalars")
    func places() throws {
        let text = "a: x\r\nb: \"\u{2028}é\u{85}\" \r\n😀: y\rc: [1,\n  2]\n"
        let entries = try #require(try root(text).entries)
        #expect(entries.map(\.key.value) == ["a", "b", "😀", "c"])
        #expect(entries.map(\.key.range.start.line) == [1, 2, 3, 4])
        let places = entries.map { "\($0.value.range.start.line):\($0.value.range.start.column)" }
        #expect(places == ["1:4", "2:4", "3:4", "4:4"])
        #expect(entries[3].value.range.end == SourcePosition(line: 5, column: 5))
        #expect(entries[1].value.range.end == SourcePosition(line: 2, column: 9))
    }

    @Test("a byte order mark is no column")
    func byteOrderMark() throws {
        let root = try root("\u{FEFF}a: b")
        #expect(root.range.start == .start)
        #expect(root.entries?.first?.key.value == "a")
    }

    @Test("scalars are text, null only where it is plain")
    func scalars() throws {
        let entries = try #require(
            try root("a: on\nb: 1.10\nc: null\nd: 'null'\ne: ~\nf:\ng: |\n  null\n").entries)
        #expect(
            entries.map { $0.value.scalar?.text } == [
                "on", "1.10", "null", "null", "~", "", "null\n",
            ])
        #expect(entries.map(\.value.isNull) == [false, false, true, false, true, true, false])
    }

    @Test("a block ends with its last value")
    func blocks() throws {
        let root = try root("a:\n  b: c\n  d: e\n\n# end\nf: g\n")
        let block = try #require(root.entries?.first?.value)
        #expect(block.range.end == SourcePosition(line: 3, column: 7))
    }

    @Test("an alias stands for a copy at its own place")
    func aliases() throws {
        let entries = try #require(try root("a: &x [1, 2]\nb: *x\n").entries)
        #expect(entries[1].value.elements?.count == 2)
        #expect(entries[1].value.range.start == SourcePosition(line: 2, column: 4))
    }

    @Test("several documents in one file")
    func documents() {
        let read = YAMLDocuments(bytes: Array("a: b\n---\nc: d\n...\n---\ne: f\n".utf8), path: "A")
        #expect(read.roots.map { $0.entries?.first?.key.value } == ["a", "c", "e"])
        #expect(read.roots.map(\.range.start.line) == [1, 3, 6])
        #expect(read.diagnostics == [])
        #expect(YAMLDocuments(bytes: [], path: "A").roots.isEmpty)
        #expect(YAMLDocuments(bytes: Array("# nothing\n".utf8), path: "A").roots.isEmpty)
    }

    @Test("what was read before an error is kept")
    func cutShort() {
        let read = YAMLDocuments(bytes: Array("a: b\n---\nc: [\n".utf8), path: "A")
        #expect(read.roots.count == 1)
        #expect(read.isCutShort)
        #expect(read.diagnostics.map(\.range.start) == [SourcePosition(line: 4, column: 1)])
    }

    private func root(_ text: String) throws -> YAMLNode {
        let read = YAMLDocuments(bytes: Array(text.utf8), path: "A.yaml")
        #expect(read.diagnostics == [])
        return try #require(read.roots.first)
    }
}
