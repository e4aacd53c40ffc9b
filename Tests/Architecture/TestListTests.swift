import Foundation
import Testing

/// The Makefile lists the test modules: what stands in no list would never run.
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
}
