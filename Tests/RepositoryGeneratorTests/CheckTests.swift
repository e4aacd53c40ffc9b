import Foundation
import Testing

@testable import repository_generator

/// What `check` finds; it never writes.
@Suite("check")
struct CheckTests {
    @Test("says that everything is up to date")
    func clean() throws {
        let shop = try Workshop()
        #expect(shop.generate() == .success)
        shop.forget()
        #expect(shop.check() == .success)
        #expect(shop.output == "All 2 generated files are up to date.")
    }

    @Test("finds missing, changed, edited and left-over files in one run")
    func drift() throws {
        let shop = try Workshop(
            Dictionary(uniqueKeysWithValues: "PQRST".map { ("\($0).yaml", "entity: \($0)\n") }))
        #expect(shop.generate() == .success)
        try shop.remove("Generated/P.generated.swift")
        try shop.write("entity: Q\nfields: { added: Int }\n", to: "Schemas/Q.yaml")
        try shop.edit("Generated/R.generated.swift")
        try shop.remove("Schemas/S.yaml")
        let before = try shop.snapshot()
        shop.forget()
        #expect(shop.check() == .drift)
        #expect(try shop.snapshot() == before)
        let output = shop.output
        #expect(output.contains("/P.generated.swift: missing\n--- /dev/null\n+++ "))
        #expect(output.contains("/Q.generated.swift: out of date\n"))
        #expect(output.contains("\n+    public var added: Int\n"))
        #expect(output.contains("/R.generated.swift: edited by hand\n"))
        #expect(output.contains("\n-// by hand\n"))
        #expect(output.contains("/S.generated.swift: left over: its schema is gone\n"))
        #expect(!output.contains("/T.generated.swift"))
        // The set lost an entity.
        #expect(shop.complaints.hasPrefix("5 generated files are not up to date"))
        #expect(shop.generate(force: true) == .success)
        #expect(shop.check() == .success)
    }

    @Test("advises what generate does not refuse")
    func advice() throws {
        let shop = try Workshop()
        #expect(shop.generate() == .success)
        try shop.edit("Generated/Note.generated.swift")
        shop.forget()
        #expect(shop.check() == .drift)
        #expect(shop.generate() == .drift)
        #expect(shop.complaints.contains("Move your changes to a file of another name, then run"))
        #expect(shop.complaints.contains("'repository-generator generate --force'."))
        #expect(shop.generate(force: true) == .success)
        try shop.remove("Generated/Note.generated.swift")
        shop.forget()
        #expect(shop.check() == .drift)
        #expect(
            shop.complaints
                == "1 generated file is not up to date; run 'repository-generator generate'.")
    }

    @Test("prints differences that patch(1) applies")
    func patch() throws {
        let shop = try Workshop(["A.yaml": "entity: A\nfields: { a: Int, b: Int, c: Int }\n"])
        #expect(shop.generate() == .success)
        let path = "Generated/A.generated.swift"
        let old = try shop.text(path)
        try shop.write(
            "entity: A\nfields: { a: Int, x: String?, c: Int }\nindexes: [c]\n",
            to: "Schemas/A.yaml")
        #expect(shop.generate() == .success)
        let new = try shop.text(path)
        let diff = UnifiedDiff(
            from: .init(name: "old", text: old), to: .init(name: "new", text: new)
        ).text
        try shop.write(old, to: "old")
        try shop.write(diff, to: "diff")
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.currentDirectoryURL = shop.root
        process.arguments = ["patch", "-s", "-o", "patched", "old", "diff"]
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        #expect(try shop.text("patched") == new)
    }
}
