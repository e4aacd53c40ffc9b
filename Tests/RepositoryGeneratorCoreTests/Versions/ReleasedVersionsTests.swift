import RepositorySchema
import StoredSchema
import Testing

@testable import RepositoryGeneratorCore

/// The files of released versions. The corpus has more of their mistakes.
@Suite("The files of released versions")
struct ReleasedVersionsTests {
    private static let good = VersionFile.text(
        of: NormalizedSchemaTests.schema("entity: A\nfields: { a: Int }\n"))

    private static func versions(
        _ files: [String: String], oldest: Int? = nil
    ) -> ReleasedVersions {
        let nowhere = SourceRange(path: "repositories.yaml", start: .start, end: .start)
        return ReleasedVersions(
            files.map { name, text in
                VersionFolderEntry(
                    name: name, content: .file(Array(text.utf8)), displayPath: "V/\(name)")
            }, oldest: oldest.map { Located($0, at: nowhere) })
    }

    private static func problems(_ files: [String: String], oldest: Int? = nil) -> [String] {
        versions(files, oldest: oldest).diagnostics.map { "\($0.range.path): \($0.message)" }
    }

    @Test("begin with the hash of the rest (FIPS 180-4)")
    func hash() {
        #expect(
            SHA256.hexadecimal("abc".utf8)
                == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(
            SHA256.hexadecimal([])
                == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
        let lines = Self.good.split(separator: "\n", maxSplits: 1)
        #expect(lines[0].hasSuffix("sha256 " + SHA256.hexadecimal(lines[1].utf8)))
    }

    @Test("are taken in the order of their numbers")
    func taken() {
        let files = Dictionary(
            uniqueKeysWithValues: (1...10_000).map { (VersionFile.name(number: $0), Self.good) })
        let versions = Self.versions(
            files.merging(["side-beta.yaml": Self.good, "side-A1.yaml": Self.good]) { $1 },
            oldest: 10_000)
        #expect(versions.diagnostics.map(\.message) == [])
        #expect(versions.numbered.count == 10_000)
        #expect(versions.numbered.last?.name == "10000.yaml")
        #expect(versions.numbered[9].name == "0010.yaml")
        #expect(versions.sides.map(\.name) == ["A1", "beta"])
    }

    @Test("are taken with the line endings of Git on Windows")
    func lineEndings() {
        #expect(
            Self.problems(["0001.yaml": Self.good.replacing("\n", with: "\r\n")]) == [])
    }

    @Test("are refused with any byte changed")
    func edited() {
        let bytes = Array(Self.good.utf8)
        for index in bytes.indices {
            var changed = bytes
            changed[index] ^= 1
            #expect(VersionFile.problem(changed, path: "0001.yaml") != nil, "\(index)")
            changed.remove(at: index)
            #expect(VersionFile.problem(changed, path: "0001.yaml") != nil, "\(index)")
        }
        #expect(VersionFile.problem([], path: "0001.yaml") != nil)
        #expect(VersionFile.problem(bytes + [10], path: "0001.yaml") != nil)
    }

    @Test("are refused with other names, in gaps and twice")
    func names() {
        #expect(
            Self.problems(["0002.yaml": Self.good, "0005.yaml": Self.good])
                == [
                    "V/0002.yaml: version 1 is missing before version 2",
                    "V/0005.yaml: versions 3 to 4 are missing before version 5",
                ])
        #expect(
            Self.problems(["0001.yaml": Self.good, "1.yaml": Self.good, "00002.yaml": Self.good])
                == [
                    "V/00002.yaml: the file of version 2 must be named '0002.yaml'",
                    "V/1.yaml: this is a second file of version 1",
                ])
        for name in [
            "0000.yaml", "notes.txt", "0001.yml", "side-.yaml", "side-a b.yaml", "side--.yaml",
            "99999999999999999999.yaml", "\u{661}.yaml", "-1.yaml", "side-é.yaml",
        ] {
            #expect(
                Self.problems([name: Self.good]) == [
                    "V/\(name): '\(name)' is not the file of a version"
                ])
        }
        #expect(
            Self.problems(["side-a.yaml": Self.good, "side-A.yaml": Self.good])
                == ["V/side-a.yaml: two side versions are named 'a', ignoring case"])
    }

    @Test("include the one that 'oldest' names")
    func oldest() {
        let files = ["0001.yaml": Self.good, "0002.yaml": Self.good]
        #expect(Self.problems(files, oldest: 1) == [])
        #expect(Self.problems(files, oldest: 2) == [])
        let found = Self.versions(files, oldest: 3).diagnostics
        #expect(found.map(\.message) == ["there is no version 3"])
        #expect(found.map(\.help) == ["the newest is version 2"])
        #expect(Self.problems([:], oldest: 1) == ["repositories.yaml: there is no version 1"])
    }
}
