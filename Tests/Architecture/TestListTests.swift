import Foundation
import Testing

/// The Makefile lists the test modules, and `.ci/extended-suites` suites: what stands in no list would
/// never run, and a misspelt suite would run in the wrong command.
@Suite("The lists of the tests")
struct TestListTests {
    private static func text(_ path: String) throws -> String {
        try String(contentsOf: FolderTests.package.appending(path: path), encoding: .utf8)
    }

    @Test("name each test module once")
    func modules() throws {
        let declared = try Self.text("Package.swift")
            .matches(of: /\.testTarget\(\s*name: "(\w+)"/).map { String($0.1) }
        let listed = try Self.text("Makefile").replacing("\\\n", with: " ")
            .matches(of: /(?m)^(?:CORE|EXTENDED|ENCRYPTION)_TESTS := (.*)$/)
            .flatMap { $0.1.split(separator: " ").map(String.init) }
        #expect(declared.count > 20)
        #expect(listed.sorted() == declared.sorted())
    }

    @Test("name suites that there are")
    func suites() throws {
        let named = try Self.text(".ci/extended-suites").split(separator: "\n").map(String.init)
        #expect(named == Array(Set(named)).sorted { $0.lowercased() < $1.lowercased() })
        let tests = FolderTests.package.appending(path: "Tests")
        let texts = try FileManager.default.contentsOfDirectory(atPath: tests.path)
            .filter { $0.hasSuffix("Tests") || $0 == "Reference" }
            .flatMap { module in
                let folder = tests.appending(path: module)
                return try FileManager.default.subpathsOfDirectory(atPath: folder.path)
                    .filter { $0.hasSuffix("Tests.swift") }
                    .map { try String(contentsOf: folder.appending(path: $0), encoding: .utf8) }
            }
        for suite in named {
            let declaration = try Regex("(?:struct|enum|class) \(suite)\\b")
            #expect(texts.contains { $0.contains(declaration) }, "\(suite)")
        }
    }
}
