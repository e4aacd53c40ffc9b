import Foundation
import StoredSchema
import Testing

@testable import RepositoryRuntime

@Suite("The Unicode tables of the full-text search")
struct SearchTableTests {
    private static let script = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "search-tables.py")

    private static func python(_ arguments: [String]) throws -> String? {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3"] + arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return process.terminationStatus == 0 ? String(decoding: data, as: UTF8.self) : nil
    }

    private static let hasVersion: Bool = {
        let probe = "import unicodedata; print(unicodedata.unidata_version, end='')"
        return (try? python(["-c", probe])) == SearchTables.version
    }()

    @Test(
        "are what the script prints",
        .enabled(if: hasVersion, "no python3 with this version of Unicode"))
    func tables() throws {
        let source = Self.script.deletingLastPathComponent()
            .appending(path: "../../../Sources/RepositoryRuntime/Search/SearchTables.swift")
        let expected = try String(contentsOf: source.standardizedFileURL, encoding: .utf8)
        #expect(try Self.python([Self.script.path()]) == expected)
    }

    @Test(
        "normalize scalars as Python does",
        .enabled(if: hasVersion, "no python3 with this version of Unicode"))
    func scalars() throws {
        // Pairs of a scalar and a mark, so that the order of marks is compared too.
        let program = """
            import importlib.util, sys, unicodedata, io, contextlib
            spec = importlib.util.spec_from_file_location('tables', '\(Self.script.path())')
            tables = importlib.util.module_from_spec(spec)
            with contextlib.redirect_stdout(io.StringIO()):
                spec.loader.exec_module(tables)
            for code in list(range(0, 0xd800)) + list(range(0xe000, 0x20000)) + list(range(0x2f700, 0x2fb00)):
                text = 'a' + chr(code) + '\\u0334\\u05b0\\u0323b'
                parts = unicodedata.normalize('NFD', text)
                parts = [tables.folded(p) for p in parts if not tables.is_dropped(ord(p))]
                words, word = [], ''
                for part in parts:
                    kind = tables.kind(ord(part))
                    if kind == 'w':
                        word += part
                    else:
                        words.append(word)
                        words.append(part if kind == 'o' else '')
                        word = ''
                words.append(word)
                words = [w for w in words if w]
                if words != ['a' + chr(code) + '\\u05b0b'] and words != ['a', '\\u05b0b']:
                    line = '%x ' % code + ','.join('.'.join('%x' % ord(c) for c in w) for w in words)
                    print(line)
            """
        let expected = try #require(try Self.python(["-c", program]))
        var lines: [String] = []
        // Planes without mappings are left out.
        for value in Array(UInt32(0)...0x1FFFF) + Array(0x2F700...0x2FAFF) {
            guard let scalar = Unicode.Scalar(value) else { continue }
            var text = "a"
            text.unicodeScalars.append(scalar)
            text += "\u{334}\u{5B0}\u{323}b"
            let words = WordReader.words(of: text)
            let plain = [["a" + String(scalar) + "\u{5B0}b"], ["a", "\u{5B0}b"]]
            if plain.contains(where: { $0.map { Array($0.utf8) } == words.map { Array($0.utf8) } })
            {
                continue
            }
            let codes = words.map { word in
                word.unicodeScalars.map { String($0.value, radix: 16) }.joined(separator: ".")
            }
            lines.append(String(value, radix: 16) + " " + codes.joined(separator: ","))
        }
        let wanted = expected.split(separator: "\n").map(String.init)
        #expect(lines.count == wanted.count)
        let differences = zip(lines, wanted).filter { $0 != $1 }.prefix(10)
        #expect(differences.isEmpty, "\(differences.map { "\($0) instead of \($1)" })")
    }

    @Test("fold as fields that ignore case do, but for dropped marks and later versions")
    func folding() {
        var different: [String] = []
        for value in UInt32(0)...0xFFFF {
            guard let scalar = Unicode.Scalar(value), scalar.properties.changesWhenCaseFolded,
                !WordTables.dropped.contains(value),
                let age = scalar.properties.age, (age.major, age.minor) <= (14, 0)
            else { continue }
            let text = String(scalar)
            let folded = WordReader.words(of: CaseFolding.folded(text))
            if folded != WordReader.words(of: text) { different.append(text) }
        }
        #expect(different == [])
    }

    @Test("divide words of ASCII as they divide others")
    func plainWords() {
        let scalars: [Unicode.Scalar] = [
            "a", "Z", "9", " ", "*", "\"", "_", "\0", "\u{7F}", "\u{E9}", "\u{DF}", "\u{3C2}",
            "\u{130}", "\u{5B0}", "\u{334}", "\u{6F22}", "\u{E01}", "\u{D55C}", "\u{1F600}", "b",
        ]
        var random = SystemRandomNumberGenerator()
        for _ in 0..<3000 {
            let text = (0..<Int.random(in: 0..<12)).map { _ in
                scalars[Int.random(in: scalars.indices, using: &random)]
            }
            // A dropped mark changes no word, and is not ASCII.
            let marked = text.flatMap { scalar -> [Unicode.Scalar] in [scalar, "\u{301}"] }
            #expect(
                pieces(text) == pieces(marked), "\(text.map { String($0.value, radix: 16) })")
        }
    }

    /// Returns the pieces of scalars, with the bytes of each word.
    private func pieces(_ scalars: [Unicode.Scalar]) -> [[UInt8]] {
        var text = ""
        text.unicodeScalars.append(contentsOf: scalars)
        var pieces: [[UInt8]] = []
        WordReader.visit(text) { piece in
            switch piece {
            case .word(let word): pieces.append([1] + word.utf8)
            case .own(let word): pieces.append([2] + word.utf8)
            case .separator(let scalar): pieces.append([3] + String(scalar).utf8)
            }
        }
        return pieces
    }
}
